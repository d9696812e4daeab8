#pragma once

// Tested by tests/command/batch_worker_test.py.

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "batch/worker_pool.h"
#include "io/child_process.h"
#include "platform/child.h"

namespace gvbind {

/// The worker's side where it is no copy of its parent: runs what `task_of` makes of orders until
/// there are no more. Returns its exit code, that of its last task.
int serve_orders(const platform::WorkerEnds& ends,
                 const std::function<WorkerTask(const std::string& order)>& task_of);

/// A worker and the ends of its pipes. After its first task it takes others where that one
/// says so. Leads a process group of its own, so that its
/// children end with it and a terminal's Ctrl-C reaches the parent alone.
class WorkerProcess {
 public:
  /// Begins with `first` of the tasks. Throws Error(resource).
  WorkerProcess(const std::vector<WorkerTask>& tasks, std::size_t first, int threads,
                std::size_t memory_limit);

  int lines_fd() const { return lines_.get(); }    ///< -1 once it is at its end
  int stderr_fd() const { return stderr_.get(); }  ///< -1 once it is at its end

  /// Reads all that the pipes hold now; complete lines are added to `lines`.
  void read_pipes(std::vector<std::string>& lines);

  /// It has ended its task with 0 and waits for assign() or dismiss().
  bool is_ready() const { return ready_; }
  void assign(std::size_t task, int threads);
  void dismiss();

  /// Whether it has ended; takes its end.
  bool ended() { return process_.ended(); }
  platform::ChildEnd end() const { return process_.end(); }  ///< once it has ended

  // Its whole group.
  void ask_to_end() const { process_.ask_to_end(); }
  void kill() const { process_.kill(); }
  std::size_t resident_bytes() const;
  double seconds() const;  ///< since its task began
  const std::string& stderr_text() const { return stderr_text_; }

 private:
  // The process comes last: it is gone before its pipes are closed.
  const std::vector<WorkerTask>* tasks_;
  OpenFile lines_, stderr_, orders_;
  ChildProcess process_;
  bool ready_ = false;
  std::string partial_line_, stderr_text_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace gvbind
