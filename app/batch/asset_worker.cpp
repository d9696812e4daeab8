#include "batch/asset_worker.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "assets/document.h"
#include "batch/asset_lock.h"
#include "batch/kept_output.h"
#include "batch/stamp.h"
#include "batch/state_file.h"
#include "caught_error.h"
#include "exit_codes.h"
#include "preview/preview.h"
#include "report.h"
#include "thread_pool.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

std::string line_of(const Report& json) {
  return json.dump(-1, ' ', false, Report::error_handler_t::replace);
}

/// Size and times of a file, to see whether somebody wrote to it while we read.
struct FileState {
  off_t size = -1;
  timespec written{}, changed{};

  explicit FileState(const fs::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return;
    size = status.st_size;
    written = status.st_mtim;
    changed = status.st_ctim;
  }
  bool operator==(const FileState& other) const {
    const auto same = [](const timespec& a, const timespec& b) {
      return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    return size == other.size && same(written, other.written) && same(changed, other.changed);
  }
  bool changed_since(const timespec& moment) const {
    return size >= 0 && (changed.tv_sec > moment.tv_sec ||
                         (changed.tv_sec == moment.tv_sec && changed.tv_nsec > moment.tv_nsec));
  }
};

timespec now() {
  timespec moment{};
  // The clock that file systems stamp with.
  clock_gettime(CLOCK_REALTIME_COARSE, &moment);
  return moment;
}

/// A folder holds what really lies in it: a link that leads out of it was not given with it.
void check_place(const AssetJob& job) {
  if (job.named) return;
  const BindRequest& request = job.request;
  AssetRoot root;
  widen(root, !request.asset_root.empty()       ? fs::path(request.asset_root)
              : request.input.has_parent_path() ? request.input.parent_path()
                                                : ".");
  if (!lies_under(root, request.input))
    throw Error(ErrorKind::input,
                request.input.string() + ": is found through a link and " + outside_text(root));
}

/// What the bind reads, hashed before it reads where that is known before, so that a file that
/// changes meanwhile does not match its stamp.
class InputWatch {
 public:
  explicit InputWatch(const BindRequest& request)
      : request_(request), start_(now()), input_(request.input), skeleton_(request.skeleton) {
    inputs_.push_back({"input", "", read_content(request.input)});
    if (!request.skeleton.empty())
      inputs_.push_back({"skeleton", "", read_content(request.skeleton)});
  }

  void add_sidecars(const BindOutcome& outcome) {
    for (const std::string& path : outcome.input_sidecars) add("input", request_.input, path);
    for (const std::string& path : outcome.skeleton_sidecars)
      add("skeleton", request_.skeleton, path);
  }

  const std::vector<StampedInput>& inputs() const { return inputs_; }

  bool disturbed() const {
    return disturbed_ || !(input_ == FileState(request_.input)) ||
           !(skeleton_ == FileState(request_.skeleton));
  }

 private:
  void add(const char* of, const fs::path& whose, const std::string& path) {
    const fs::path place = whose.parent_path() / path;
    inputs_.push_back({of, path, read_content(place)});
    disturbed_ = disturbed_ || FileState(place).changed_since(start_);
  }

  const BindRequest& request_;
  timespec start_;
  FileState input_, skeleton_;
  std::vector<StampedInput> inputs_;
  bool disturbed_ = false;
};

Stamp stamp_for(const AssetJob& job, const Report& entry) {
  Stamp stamp;
  stamp.status = entry.at("status").get<std::string>();
  stamp.key = job.key;
  if (const auto worst = worst_finding(entry)) stamp.worst = severity_name(*worst);
  stamp.entry = line_of(entry);
  return stamp;
}

void add_finding(Report& entry, Severity severity, const char* code, const std::string& message) {
  entry["findings"].push_back(finding_json({severity, code, message, ""}));
}

Report entry_with(const AssetJob& job, const char* status) {
  Report entry = job.entry;
  put_member(entry, "status", status);
  return entry;
}

using Moment = std::chrono::steady_clock::time_point;

double seconds_since(Moment start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void draw_picture(const AssetJob& job) {
  Findings said_before;
  const Document document = read_document(job.request.output, said_before);
  const Image card = render_card(scene_of(document, {}, said_before));
  write_state_file(picture_path(job.request.output), png_bytes(card));
}

std::vector<StampedOutput> contents_of(const std::vector<EncodedFile>& files,
                                       const fs::path& output) {
  std::vector<StampedOutput> contents;
  for (const EncodedFile& file : files)
    contents.push_back(
        {file.relative_path.empty() ? output.filename().string() : file.relative_path,
         content_of(file.bytes)});
  return contents;
}

/// So that the files are known as ours even if the process is killed once they have their names.
void stamp_intent(const fs::path& output, const std::vector<StampedOutput>& contents) {
  Stamp stamp = read_stamp(output).value_or(Stamp());
  if (stamp.status.empty()) stamp.status = "interrupted";
  stamp.earlier.insert(stamp.earlier.end(), contents.begin(), contents.end());
  write_stamp(output, stamp, Durability::synced);
}

/// Outputs of earlier binds that this one did not replace, and that are still there.
std::vector<StampedOutput> left_over(const fs::path& output,
                                     const std::vector<StampedOutput>& written) {
  std::vector<StampedOutput> left = known_contents(read_stamp(output));
  std::erase_if(left, [&](const StampedOutput& one) {
    std::error_code ignored;
    return std::ranges::find(written, one.path, &StampedOutput::path) != written.end() ||
           !fs::exists(output.parent_path() / one.path, ignored);
  });
  return left;
}

Report bind_asset(const AssetJob& job, const SendLine& send, Moment start) {
  const fs::path& output = job.request.output;
  check_place(job);
  InputWatch watch(job.request);
  std::vector<StampedOutput> written;
  BindRequest request = job.request;
  if (!job.force)
    request.why_keep = [&](const std::string& path) { return why_keep(output, path); };
  request.before_write = [&](const std::vector<EncodedFile>& files) {
    // Before the stamp says that these names are ours.
    if (std::string why = job.force ? "" : why_keep(output, ""); !why.empty())
      throw Error(ErrorKind::output, output.string() + ": " + why);
    written = contents_of(files, output);
    stamp_intent(output, written);
  };
  double told = -1.0;
  std::string told_stage;
  const BindOutcome outcome = bind_file(request, [&](const char* stage, double done) {
    if (stage == told_stage && done < told + 0.05) return;
    told_stage = stage;
    told = done;
    send(line_of(Report{{"stage", stage}, {"done", done}}));
  });
  watch.add_sidecars(outcome);
  Report entry = entry_with(job, "done");
  put_outcome(entry, outcome);
  if (job.picture) {
    try {
      draw_picture(job);
    } catch (const Error& error) {
      // The output is whole and has its name; a page without this picture is no failure of it.
      add_finding(entry, Severity::warning, "picture-failed", error.what());
    }
  }
  put_member(entry, "seconds", seconds_since(start));
  if (watch.disturbed()) {
    add_finding(
        entry, Severity::warning, "input-changed",
        job.request.input.string() + ": changed while it was bound; the next run binds it again");
    return entry;  // the stamp of before, which is out of date, stays with what was written
  }
  Stamp stamp = stamp_for(job, entry);
  stamp.inputs = watch.inputs();
  // Not as the files are now: somebody may have saved over them already.
  stamp.outputs = written;
  stamp.earlier = left_over(output, written);
  write_stamp(output, stamp);
  return entry;
}

/// Whether an output of ours stands there; false too where that cannot be found out, since whoever
/// asks has another failure to report.
bool has_own_output(const fs::path& output) {
  try {
    std::error_code ignored;
    return fs::exists(output, ignored) && why_keep(output, "").empty();
  } catch (const Error&) {
    return false;
  }
}

void add_stale_output(Report& entry, const AssetJob& job) {
  const fs::path& output = job.request.output;
  if (has_own_output(output))
    add_finding(entry, Severity::warning, "stale-output",
                output.string() + ": is still there from an earlier bind");
}

Report with_error(Report entry, ErrorKind kind, const std::string& message) {
  put_member(entry, "error", {{"exit_code", exit_code(kind)}, {"message", message}});
  return entry;
}

/// The caller holds the asset's lock.
void write_failure(const AssetJob& job, const Report& entry) {
  try {
    Stamp stamp = stamp_for(job, entry);
    stamp.earlier = known_contents(read_stamp(job.request.output));
    write_stamp(job.request.output, stamp);
  } catch (const Error&) {
    // The failure itself is what is to be told; without a stamp the asset is tried again too.
  }
}

Report skip_asset(const AssetJob& job, const std::string& why) {
  Report entry = entry_with(job, "skipped");
  add_finding(entry, Severity::note, "nothing-to-bind", why);
  add_stale_output(entry, job);
  Stamp stamp = stamp_for(job, entry);
  stamp.earlier = known_contents(read_stamp(job.request.output));
  stamp.inputs = InputWatch(job.request).inputs();
  write_stamp(job.request.output, stamp);
  return entry;
}

Report bind_or_skip(const AssetJob& job, const SendLine& send, Moment start) {
  try {
    return bind_asset(job, send, start);
  } catch (const NothingToBind& nothing) {
    if (job.named) throw;
    return skip_asset(job, nothing.what());
  }
}

/// Long enough for a bind at work, and for a server to give up the locks of a node that is lost.
constexpr std::chrono::minutes lock_patience(5);

AssetLock wait_for_lock(const AssetJob& job) {
  check_state(job.request.output);
  AssetLock lock(job.request.output, lock_patience);
  if (!lock.held())
    throw Error(ErrorKind::output, job.request.output.string() +
                                       ": another process has been binding to it for 5 minutes; "
                                       "if there is none any more, remove " +
                                       lock_path(job.request.output).string());
  return lock;
}

std::string too_long(const std::string& name, const std::string& line) {
  const auto mebibytes = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  return name + ": its entry in the report has " + mebibytes(line.size()) + ", more than the " +
         mebibytes(max_worker_line) + " that one asset may have";
}

}  // namespace

int run_picture_job(const AssetJob& job) {
  const AssetLock lock = wait_for_lock(job);
  draw_picture(job);
  return 0;
}

Report failed_entry(const AssetJob& job, ErrorKind kind, const std::string& message) {
  Report entry = entry_with(job, "failed");
  add_stale_output(entry, job);
  return with_error(std::move(entry), kind, message);
}

Report kept_entry(const AssetJob& job, const std::string& why) {
  return with_error(entry_with(job, "failed"), ErrorKind::output,
                    job.request.output.string() + ": " + why);
}

void stamp_failure(const AssetJob& job, const Report& entry) {
  const AssetLock lock(job.request.output);
  if (lock.held()) write_failure(job, entry);
}

int run_asset_job(const AssetJob& job, const SendLine& send, int threads) {
  set_up_threads(threads);
  const auto start = std::chrono::steady_clock::now();
  const std::string name = job.request.input.string();
  const auto line_with = [&](Report entry) {
    put_member(entry, "seconds", seconds_since(start));
    return line_of(Report{{"entry", std::move(entry)}});
  };
  // Held until the stamp is written, whatever comes of the asset.
  std::optional<AssetLock> lock;
  const auto fail = [&](ErrorKind kind, const std::string& message) {
    const Report entry = failed_entry(job, kind, message);
    if (lock) write_failure(job, entry);
    send(line_with(entry));
    return exit_code(kind);
  };
  const auto answer = [&](Report entry) {
    const std::string line = line_with(std::move(entry));
    if (line.size() > max_worker_line) return fail(ErrorKind::resource, too_long(name, line));
    send(line);
    return 0;
  };
  try {
    lock.emplace(wait_for_lock(job));
    return answer(bind_or_skip(job, send, start));
  } catch (...) {
    const Error error = caught_error(name);
    return fail(error.kind(), error.what());
  }
}

}  // namespace gvbind
