#include "batch/asset_worker.h"

#include <sys/stat.h>
#include <tbb/global_control.h>

#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "assets/document.h"
#include "batch/asset_lock.h"
#include "batch/stamp.h"
#include "batch/state_file.h"
#include "preview/preview.h"
#include "report.h"

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

Report bind_asset(const AssetJob& job, const SendLine& send, Moment start) {
  InputWatch watch(job.request);
  double told = -1.0;
  std::string told_stage;
  const BindOutcome outcome = bind_file(job.request, [&](const char* stage, double done) {
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
    std::error_code ignored;
    fs::remove(stamp_path(job.request.output), ignored);
    return entry;
  }
  Stamp stamp = stamp_for(job, entry);
  stamp.inputs = watch.inputs();
  for (const std::string& path : outcome.written) {
    const auto content = read_content(job.request.output.parent_path() / path);
    if (!content) throw Error(ErrorKind::output, path + ": is gone after it was written");
    stamp.outputs.push_back({path, *content});
  }
  write_stamp(job.request.output, stamp);
  return entry;
}

Report skip_asset(const AssetJob& job, const std::string& why) {
  Report entry = entry_with(job, "skipped");
  add_finding(entry, Severity::note, "nothing-to-bind", why);
  Stamp stamp = stamp_for(job, entry);
  stamp.inputs = InputWatch(job.request).inputs();
  write_stamp(job.request.output, stamp);
  return entry;
}

/// Long enough for a bind at work, and for a server to give up the locks of a node that is lost.
constexpr std::chrono::minutes lock_patience(5);

AssetLock wait_for_lock(const AssetJob& job) {
  check_state(job.request.output);
  AssetLock lock(job.request.output, lock_patience);
  if (!lock.held())
    throw Error(ErrorKind::output, job.request.output.string() +
                                       ": another process has been binding to it for 5 minutes; "
                                       "where there is none any more, remove " +
                                       lock_path(job.request.output).string());
  return lock;
}

}  // namespace

int run_picture_job(const AssetJob& job) {
  const AssetLock lock = wait_for_lock(job);
  draw_picture(job);
  return 0;
}

Report fail_asset(const AssetJob& job, ErrorKind kind, const std::string& message) {
  Report entry = entry_with(job, "failed");
  std::error_code ignored;
  if (fs::exists(job.request.output, ignored))
    add_finding(entry, Severity::warning, "stale-output",
                job.request.output.string() + ": is still there from an earlier bind");
  put_member(entry, "error", {{"exit_code", static_cast<int>(kind)}, {"message", message}});
  try {
    write_stamp(job.request.output, stamp_for(job, entry));
  } catch (const Error&) {
    // The failure itself is what is to be told; without a stamp the asset is tried again too.
  }
  return entry;
}

int run_asset_job(const AssetJob& job, const SendLine& send, int threads) {
  const tbb::global_control bound(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  const auto start = std::chrono::steady_clock::now();
  const auto answer = [&](Report entry, int code) {
    put_member(entry, "seconds", seconds_since(start));
    send(line_of(Report{{"entry", std::move(entry)}}));
    return code;
  };
  const auto fail = [&](ErrorKind kind, const std::string& message) {
    return answer(fail_asset(job, kind, message), static_cast<int>(kind));
  };
  const std::string name = job.request.input.string();
  try {
    const AssetLock lock = wait_for_lock(job);
    return answer(bind_asset(job, send, start), 0);
  } catch (const NothingToBind& nothing) {
    if (job.named) return fail(nothing.kind(), nothing.what());
    return answer(skip_asset(job, nothing.what()), 0);
  } catch (const Error& error) {
    return fail(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::resource, name + ": out of memory");
  } catch (const std::exception& error) {
    return fail(ErrorKind::internal, name + ": internal error: " + error.what());
  }
}

}  // namespace gvbind
