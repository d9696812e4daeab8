#include "batch/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "batch/batch_plan.h"
#include "batch/stamp.h"
#include "batch/worker_pool.h"
#include "cli/written_files.h"
#include "common/console.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "platform/files.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr auto min_pause = std::chrono::milliseconds(50);
constexpr int pause_factor = 10;  ///< of the time of a look, so that looks take a tenth of one core

/// Adds the file's state: an own number, size and time of the last write; nothing for a directory,
/// since files that come and go are in the plan.
void add_state(const fs::path& path, std::string& state) {
  const std::optional<platform::FileStatus> found = platform::status_of(path);
  if (!found) {
    state += "missing " + path_text(path) + '\n';
    return;
  }
  if (found->kind == platform::FileStatus::Kind::folder) return;
  for (const std::uint64_t number :
       {found->number, found->size, static_cast<std::uint64_t>(found->written.tv_sec),
        static_cast<std::uint64_t>(found->written.tv_nsec)})
    state.append(std::to_string(number)).append(" ");
  state.append(path_text(path)).append("\n");
}

/// The files of an asset's last bind, from its stamp.
std::vector<fs::path> referenced_files(const BatchAsset& asset) {
  std::vector<fs::path> files;
  try {
    const std::optional<Stamp> stamp = read_stamp(asset.output);
    if (!stamp) return files;
    for (const StampedInput& input : stamp->inputs)
      if (!input.path.empty())
        files.push_back((input.of == "skeleton" ? fs::path(asset.settings.skeleton) : asset.input)
                            .parent_path() /
                        input.path);
  } catch (const Error&) {
    // Reported by the round.
  }
  return files;
}

/// All files that the batch reads.
class Inputs {
 public:
  Inputs(const BatchCommand& command, const std::function<BatchPlan()>& plan_now)
      : command_(command), plan_now_(plan_now) {}

  /// After a round: its assets may refer to other files than before.
  void read_references() {
    referenced_.clear();
    try {
      for (const BatchAsset& asset : plan_now_().assets)
        for (fs::path& path : referenced_files(asset)) referenced_.push_back(std::move(path));
    } catch (const Error&) {
      // Reported by the round.
    }
  }

  /// Of the files that the command line, the manifest and the folders name. Two states are equal if
  /// nothing has changed.
  std::string named_state() const {
    std::string state;
    std::set<std::string> looked_at;  // many assets share the files of their options
    for (const std::string& input : command_.inputs) add_state(input, state);
    try {
      for (const BatchAsset& asset : plan_now_().assets) {
        add_state(asset.input, state);
        for (const NamedFile& file : files_of(asset.settings)) {
          if (!looked_at.insert(file.path).second) continue;
          add_state(file.path, state);
          for (const fs::path& buffer : buffers_of(file.path)) add_state(buffer, state);
        }
      }
    } catch (const Error& error) {
      state += error.what();
    }
    return state;
  }

  /// Of the files that assets referred to in their last bind.
  std::string referenced_state() const {
    std::string state;
    for (const fs::path& path : referenced_) add_state(path, state);
    return state;
  }

  std::string state() const { return named_state() + referenced_state(); }

 private:
  const BatchCommand& command_;
  const std::function<BatchPlan()>& plan_now_;
  std::vector<fs::path> referenced_;
};

/// Waits until the state is another one than `before` in two looks; false on a signal.
bool wait_for_change(const Inputs& inputs, const std::string& before, bool quiet) {
  const StopSignals signals;
  if (!quiet) print_finding(Severity::note, "watching; Ctrl-C ends");
  std::string last = before;
  while (stop_signal() == 0) {
    const auto start = steady_clock::now();
    std::string now = inputs.state();
    const auto look = steady_clock::now() - start;
    if (now == last && now != before) return true;
    last = std::move(now);
    const auto until =
        steady_clock::now() + std::max<steady_clock::duration>(min_pause, pause_factor * look);
    while (stop_signal() == 0 && steady_clock::now() < until)
      std::this_thread::sleep_for(min_pause / 2);
  }
  return false;
}

}  // namespace

int watch_batch(const BatchCommand& command, const std::function<BatchPlan()>& plan_now,
                const std::function<int(BatchPlan plan)>& round) {
  Inputs inputs(command, plan_now);
  // Before the round, so that a change during it is not missed.
  std::string named = inputs.named_state();
  int code = round(plan_now());
  while (stop_signal() == 0) {
    inputs.read_references();
    if (!wait_for_change(inputs, named + inputs.referenced_state(), command.quiet)) return 0;
    named = inputs.named_state();
    try {
      code = round(plan_now());
    } catch (const Error& error) {
      print_finding(Severity::error, error.what());
    }
  }
  return code;
}

}  // namespace gvbind
