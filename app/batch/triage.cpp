#include "batch/triage.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "batch/kept_output.h"
#include "caught_error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

Verdict judge_freshness(const AssetJob& job, Rerun rerun) {
  Verdict verdict;
  verdict.stamp = read_stamp(job.request.output);
  if (rerun == Rerun::all) {
    verdict.why = "all are asked for";
    return verdict;
  }
  if (rerun == Rerun::failed) {
    const bool failed = verdict.stamp && verdict.stamp->status == "failed";
    verdict.act = failed ? Verdict::Act::bind : Verdict::Act::leave;
    verdict.why = "failed before";
    return verdict;
  }
  const AssetFiles files{job.request.input, job.request.skeleton, job.request.output};
  verdict.why = why_stale(verdict.stamp, job.key, files);
  if (verdict.why.empty() && job.named && verdict.stamp->status == "skipped")
    verdict.why = "is named now";
  if (!verdict.why.empty()) return verdict;
  std::error_code ignored;
  const bool undrawn =
      job.picture && verdict.stamp->status == "done" &&
      !fs::is_regular_file(fs::symlink_status(picture_path(job.request.output), ignored));
  verdict.act = undrawn ? Verdict::Act::draw : Verdict::Act::pass;
  return verdict;
}

Verdict judge_readable(const AssetJob& job, Rerun rerun) {
  Verdict verdict = judge_freshness(job, rerun);
  if (verdict.act != Verdict::Act::bind || job.force) return verdict;
  std::string why = why_keep_any(job.request.output, verdict.stamp);
  if (why.empty()) return verdict;
  verdict.act = Verdict::Act::keep;
  verdict.why = std::move(why);
  return verdict;
}

/// Where something cannot be read the worker meets it again, and its asset fails.
Verdict judge(const AssetJob& job, Rerun rerun) {
  try {
    return judge_readable(job, rerun);
  } catch (...) {
    Verdict verdict;
    verdict.why = caught_error().what();
    return verdict;
  }
}

}  // namespace

std::vector<Verdict> triage(const std::vector<AssetJob>& jobs, Rerun rerun, int threads,
                            const std::function<bool()>& stop) {
  std::vector<Verdict> verdicts(jobs.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < jobs.size() && !stop();) verdicts[i] = judge(jobs[i], rerun);
  };
  // Plain threads: a pool that lives on would not survive the forks that follow.
  std::vector<std::jthread> others;
  const auto most = std::min(static_cast<std::size_t>(std::max(1, threads)), jobs.size());
  for (std::size_t i = 1; i < most; ++i) others.emplace_back(work);
  work();
  others.clear();
  return verdicts;
}

}  // namespace gvbind
