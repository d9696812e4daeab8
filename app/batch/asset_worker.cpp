#include "batch/asset_worker.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "batch/asset_certificate.h"
#include "batch/asset_drawing.h"
#include "batch/stamp.h"
#include "batch/state_file.h"
#include "commands/bind/bind_report.h"
#include "common/exit_codes.h"
#include "common/resources.h"
#include "files/discover.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "io/encoded_file.h"
#include "platform/files.h"
#include "platform/session.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// Size and times of a file, to see whether another program wrote to it meanwhile.
struct FileState {
  std::optional<platform::FileStatus> status;

  explicit FileState(const fs::path& path) : status(platform::status_of(path)) {}
  bool operator==(const FileState& other) const {
    if (!status || !other.status) return !status && !other.status;
    const auto same = [](const timespec& a, const timespec& b) {
      return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    return status->size == other.status->size && same(status->written, other.status->written) &&
           same(status->changed, other.status->changed);
  }
  bool changed_since(const timespec& moment) const {
    if (!status) return false;
    const timespec& changed = status->changed;
    return changed.tv_sec > moment.tv_sec ||
           (changed.tv_sec == moment.tv_sec && changed.tv_nsec > moment.tv_nsec);
  }
};

/// A directory holds what really lies in it: a link that leads out of it was not given with it.
void check_output_path(const AssetJob& job) {
  if (job.named) return;
  const BindRequest& request = job.request;
  AssetRoot root;
  widen(root, !request.asset_root.empty()       ? fs::path(request.asset_root)
              : request.input.has_parent_path() ? request.input.parent_path()
                                                : ".");
  if (!lies_under(root, request.input))
    throw Error(ErrorKind::input,
                path_text(request.input) + ": is found through a link and " + outside_text(root));
}

/// The files that the bind reads, hashed beforehand where they are known, so that a file that
/// changes meanwhile does not match its stamp.
class InputWatch {
 public:
  explicit InputWatch(const BindRequest& request)
      : request_(request),
        start_(platform::now_of_files()),
        input_(request.input),
        skeleton_(request.skeleton) {
    inputs_.push_back({"input", "", read_content(request.input)});
    if (!request.skeleton.empty())
      inputs_.push_back({"skeleton", "", read_content(request.skeleton)});
  }

  void add_sidecars(const BoundFile& bound) {
    for (const std::string& path : bound.input_sidecars) add("input", request_.input, path);
    for (const std::string& path : bound.skeleton_sidecars)
      add("skeleton", request_.skeleton, path);
  }

  const std::vector<StampedInput>& inputs() const { return inputs_; }

  bool disturbed() const {
    return disturbed_ || !(input_ == FileState(request_.input)) ||
           !(skeleton_ == FileState(request_.skeleton));
  }

 private:
  void add(const char* of, const fs::path& whose, const std::string& path) {
    const fs::path file = whose.parent_path() / path;
    inputs_.push_back({of, path, read_content(file)});
    disturbed_ = disturbed_ || FileState(file).changed_since(start_);
  }

  const BindRequest& request_;
  timespec start_;
  FileState input_, skeleton_;
  std::vector<StampedInput> inputs_;
  bool disturbed_ = false;
};

/// The input from the output's directory, by the text of both.
std::string source_of(const BindRequest& request) {
  const fs::path output = absolute_text(request.output);
  return path_text(fs::path(absolute_text(request.input)).lexically_relative(output.parent_path()));
}

Stamp stamp_for(const AssetJob& job, const AssetEntry& entry) {
  Stamp stamp;
  stamp.status = name_of(entry.status);
  stamp.source = source_of(job.request);
  stamp.key = job.key;
  if (const auto worst = worst_finding(entry)) stamp.worst = severity_name(*worst);
  stamp.entry = json_line(json_of(entry));
  return stamp;
}

void add_finding(AssetEntry& entry, Severity severity, const char* code,
                 const std::string& message) {
  entry.findings.push_back({severity, code, message, ""});
}

AssetEntry entry_with(const AssetJob& job, AssetStatus status) {
  AssetEntry entry = job.entry;
  entry.status = status;
  return entry;
}

using Moment = std::chrono::steady_clock::time_point;

double seconds_since(Moment start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<StampedOutput> contents_of(const std::vector<EncodedFile>& files,
                                       const fs::path& output) {
  std::vector<StampedOutput> contents;
  for (const EncodedFile& file : files)
    contents.push_back(
        {file.relative_path.empty() ? path_text(output.filename()) : file.relative_path,
         content_of(file.bytes)});
  return contents;
}

/// So that the files are known as ours even if the process is killed once they have their names.
void stamp_intent(const BindRequest& request, const std::vector<StampedOutput>& contents) {
  const fs::path& output = request.output;
  Stamp stamp = read_stamp(output).value_or(Stamp());
  if (stamp.status.empty()) stamp.status = "interrupted";
  stamp.source = source_of(request);
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

/// The output is whole and has its name, but could not be stamped.
class Unstamped : public Error {
 public:
  using Error::Error;
};

AssetEntry bind_asset(const AssetJob& job, const SendLine& send, Moment start) {
  const fs::path& output = job.request.output;
  check_output_path(job);
  if (job.certificate && !job.force) refuse_foreign_certificate(output);
  InputWatch watch(job.request);
  std::optional<CertificateDraft> draft;
  if (job.certificate) draft.emplace(job.request.input, job.request.skeleton, output);
  std::vector<StampedOutput> written;
  BindRequest request = job.request;
  if (!job.force)
    request.why_keep = [&](const std::string& path) { return why_keep(output, path); };
  request.before_write = [&](const std::vector<EncodedFile>& files) {
    // Before the stamp says that these names are ours.
    if (std::string why = job.force ? "" : why_keep(output, ""); !why.empty())
      throw Error(ErrorKind::output, path_text(output) + ": " + why);
    written = contents_of(files, output);
    if (draft) draft->add_outputs(files);
    stamp_intent(job.request, written);
  };
  double reported = -1.0;
  std::string reported_stage;
  const BoundFile bound = bind_file(request, [&](const char* stage, double done) {
    if (stage == reported_stage && done < reported + 0.05) return;
    reported_stage = stage;
    reported = done;
    send(json_line({{"stage", stage}, {"done", done}}));
  });
  watch.add_sidecars(bound);
  AssetEntry entry = entry_with(job, AssetStatus::done);
  static_cast<BindEntry&>(entry) = bound.entry;
  entry.seconds = seconds_since(start);
  // Made before the drawing: a later run draws again, and must not tell an old failure.
  Stamp stamp = stamp_for(job, entry);
  // Not as the files are now: another program may have saved over them already.
  stamp.outputs = written;
  if (draft) {
    draft->add_sidecars(bound.input_sidecars, bound.skeleton_sidecars);
    write_certificate(*draft, entry);
  }
  draw_asset(job, entry, stamp);
  entry.seconds = seconds_since(start);
  if (watch.disturbed()) {
    add_finding(
        entry, Severity::warning, "input-changed",
        path_text(job.request.input) + ": changed while it was bound; the next run binds it again");
    return entry;  // the earlier stamp, which is out of date, stays with the written files
  }
  stamp.inputs = watch.inputs();
  stamp.earlier = left_over(output, written);
  try {
    write_stamp(output, stamp);
  } catch (const Error& error) {
    throw Unstamped(error.kind(), error.what());
  }
  return entry;
}

/// Draws an asset that is up to date. Where its stamp cannot be written, it is drawn again.
void note_drawings(const AssetJob& job, AssetEntry& entry) {
  std::optional<Stamp> stamp = read_stamp(job.request.output);
  if (!stamp) return;
  draw_asset(job, entry, *stamp);
  try {
    write_stamp(job.request.output, *stamp);
  } catch (const Error& error) {
    add_finding(entry, Severity::warning, "picture-failed", error.what());
  }
}

/// Whether an output of ours stands there; false too where that cannot be found out, since whoever
/// asks has another failure to report.
bool has_own_output(const fs::path& output) {
  try {
    std::error_code ignored;
    return fs::is_regular_file(output, ignored) && why_keep(output, "").empty();
  } catch (const Error&) {
    return false;
  }
}

void add_stale_output(AssetEntry& entry, const AssetJob& job) {
  const fs::path& output = job.request.output;
  if (has_own_output(output))
    add_finding(entry, Severity::warning, "stale-output",
                path_text(output) + ": is still there from an earlier bind");
}

/// The caller holds the asset's lock.
void write_failure(const AssetJob& job, const AssetEntry& entry) {
  try {
    Stamp stamp = stamp_for(job, entry);
    stamp.earlier = known_contents(read_stamp(job.request.output));
    write_stamp(job.request.output, stamp);
  } catch (const Error&) {
    // Only the failure itself is reported; without a stamp the asset is tried again too.
  }
}

AssetEntry skip_asset(const AssetJob& job, const std::string& why) {
  AssetEntry entry = entry_with(job, AssetStatus::skipped);
  add_finding(entry, Severity::note, "nothing-to-bind", why);
  add_stale_output(entry, job);
  Stamp stamp = stamp_for(job, entry);
  stamp.earlier = known_contents(read_stamp(job.request.output));
  stamp.inputs = InputWatch(job.request).inputs();
  write_stamp(job.request.output, stamp);
  return entry;
}

AssetEntry bind_or_skip(const AssetJob& job, const SendLine& send, Moment start) {
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
    throw Error(ErrorKind::output, path_text(job.request.output) +
                                       ": another process has been binding to it for 5 minutes; "
                                       "if there is none any more, remove " +
                                       path_text(lock_path(job.request.output)));
  return lock;
}

AssetEntry failure_of(const AssetJob& job, ErrorKind kind, const std::string& message) {
  AssetEntry entry = entry_with(job, AssetStatus::failed);
  entry.error = entry_error(kind, message);
  return entry;
}

std::string too_long(const std::string& name, const std::string& line) {
  return name + ": its entry in the report has " + mebibytes(line.size()) + ", more than the " +
         mebibytes(max_worker_line) + " that one asset may have";
}

}  // namespace

int run_picture_job(const AssetJob& job, const SendLine& send) {
  const auto start = std::chrono::steady_clock::now();
  const AssetLock lock = wait_for_lock(job);
  AssetEntry entry = entry_with(job, AssetStatus::done);
  try {
    if (job.certificate) certify_stamped(job);
  } catch (...) {
    add_finding(entry, Severity::error, "certificate-failed", caught_error().what());
  }
  note_drawings(job, entry);
  entry.seconds = seconds_since(start);
  send(json_line({{"entry", json_of(entry)}}));
  return 0;
}

AssetEntry failed_entry(const AssetJob& job, ErrorKind kind, const std::string& message) {
  AssetEntry entry = failure_of(job, kind, message);
  add_stale_output(entry, job);
  return entry;
}

AssetEntry kept_entry(const AssetJob& job, const std::string& why) {
  return failure_of(job, ErrorKind::output, path_text(job.request.output) + ": " + why);
}

void stamp_failure(const AssetJob& job, const AssetEntry& entry) {
  const AssetLock lock(job.request.output);
  if (lock.held()) write_failure(job, entry);
}

int run_asset_job(const AssetJob& job, const SendLine& send, int threads) {
  set_up_threads(threads);
  const auto start = std::chrono::steady_clock::now();
  const std::string name = path_text(job.request.input);
  const auto line_with = [&](AssetEntry entry) {
    entry.seconds = seconds_since(start);
    return json_line({{"entry", json_of(entry)}});
  };
  // Held until the stamp is written, whatever comes of the asset.
  std::optional<AssetLock> lock;
  const auto fail = [&](const AssetEntry& entry) {
    if (lock) write_failure(job, entry);
    send(line_with(entry));
    return entry.error->exit_code;
  };
  const auto answer = [&](AssetEntry entry) {
    const std::string line = line_with(std::move(entry));
    if (line.size() > max_worker_line)
      return fail(failed_entry(job, ErrorKind::resource, too_long(name, line)));
    send(line);
    return 0;
  };
  try {
    lock.emplace(wait_for_lock(job));
    return answer(bind_or_skip(job, send, start));
  } catch (const Unstamped& error) {
    return fail(failure_of(job, error.kind(), error.what()));
  } catch (...) {
    const Error error = caught_error(name);
    return fail(failed_entry(job, error.kind(), error.what()));
  }
}

}  // namespace gvbind
