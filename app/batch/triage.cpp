#include "batch/triage.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "batch/asset_certificate.h"
#include "batch/asset_drawing.h"
#include "batch/stamp.h"
#include "common/exit_codes.h"
#include "files/output_plan.h"
#include "gvbind/error.h"
#include "io/format.h"

namespace gvbind {

namespace {

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
  const bool undrawn = verdict.stamp->status == "done" && (lacks_drawing(job, *verdict.stamp) ||
                                                           lacks_certificate(job, *verdict.stamp));
  verdict.act = undrawn ? Verdict::Act::draw : Verdict::Act::pass;
  return verdict;
}

OutputAsset output_asset(const AssetJob& job, const Verdict& verdict) {
  OutputAsset asset{job.request.input, job.request.output, verdict.act == Verdict::Act::bind};
  if (!verdict.stamp) return asset;
  for (const auto* list : {&verdict.stamp->outputs, &verdict.stamp->earlier})
    for (const StampedOutput& output : *list) asset.own.insert(output.path);
  if (verdict.act != Verdict::Act::pass && verdict.act != Verdict::Act::draw) return asset;
  asset.known.emplace();
  for (const StampedOutput& output : verdict.stamp->outputs)
    asset.known->written.insert(output.path);
  // The pictures of an FBX go into its output, or are named by the converter.
  if (!asset.known->written.empty() && format_of_name(job.request.input) != Format::fbx)
    for (const StampedInput& input : verdict.stamp->inputs)
      if (input.of == "input" && !input.path.empty()) asset.known->named.push_back(input.path);
  return asset;
}

/// Names for the files of all outputs, also of those that are not bound now.
std::vector<OutputPlan> plan_names(const std::vector<AssetJob>& jobs,
                                   const std::vector<BatchAsset>& others,
                                   std::vector<Verdict>& verdicts) {
  std::vector<OutputAsset> assets;
  assets.reserve(jobs.size() + others.size());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    assets.push_back(output_asset(jobs[i], verdicts[i]));
  for (const BatchAsset& other : others) assets.push_back({other.input, other.output, false});
  std::vector<OutputPlan> plans = plan_outputs(assets);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    verdicts[i].file_names = plans[i].names;
    if (!plans[i].renames || verdicts[i].act == Verdict::Act::leave) continue;
    verdicts[i].act = Verdict::Act::bind;
    verdicts[i].why = "another output needs the name of one of its files";
  }
  return plans;
}

void judge_kept(const AssetJob& job, const OutputPlan& plan, Verdict& verdict) {
  if (verdict.act != Verdict::Act::bind || job.force) return;
  std::vector<std::string> files;
  for (const OutputFile& file : plan.files) files.push_back(file.name);
  std::string why = why_keep_any(job.request.output, verdict.stamp, files);
  if (why.empty()) return;
  verdict.act = Verdict::Act::keep;
  verdict.why = std::move(why);
}

/// Calls `work` with each index below `count`, in `threads` threads.
void in_threads(std::size_t count, int threads, const std::function<bool()>& stop,
                const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i; (i = next++) < count && !stop();) work(i);
  };
  // Plain threads: a pool that lives on would not survive the forks that follow.
  std::vector<std::jthread> others;
  const auto max_threads = std::min(static_cast<std::size_t>(std::max(1, threads)), count);
  for (std::size_t i = 1; i < max_threads; ++i) others.emplace_back(take);
  take();
}

/// Where something cannot be read the worker meets it again, and its asset fails.
template <typename Judge>
void if_readable(Verdict& verdict, const Judge& judge) {
  try {
    judge();
  } catch (...) {
    verdict.act = Verdict::Act::bind;
    verdict.why = caught_error().what();
  }
}

}  // namespace

std::vector<Verdict> triage(const std::vector<AssetJob>& jobs,
                            const std::vector<BatchAsset>& others, Rerun rerun, int threads,
                            const std::function<bool()>& stop) {
  std::vector<Verdict> verdicts(jobs.size());
  in_threads(jobs.size(), threads, stop, [&](std::size_t i) {
    if_readable(verdicts[i], [&] { verdicts[i] = judge_freshness(jobs[i], rerun); });
  });
  if (stop()) return verdicts;
  const std::vector<OutputPlan> plans = plan_names(jobs, others, verdicts);
  in_threads(jobs.size(), threads, stop, [&](std::size_t i) {
    if_readable(verdicts[i], [&] { judge_kept(jobs[i], plans[i], verdicts[i]); });
  });
  return verdicts;
}

}  // namespace gvbind
