#pragma once

// Tested by tests/command/batch_stress_test.py.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/error.h"
#include "platform/session.h"

namespace gvbind {

/// While one lives, the first SIGINT, SIGTERM or SIGHUP asks the run to end in good order; the
/// second ends the process. Signals that the caller ignores (nohup) stay ignored. One at a time.
class StopSignals {
 public:
  StopSignals();

 private:
  platform::StopHandlers handlers_;
};

/// The signal that came since the last StopSignals was made; 0: none.
int stop_signal();

/// Hands one line (without its end) from a worker to its pool. A longer one ends the worker.
constexpr std::size_t max_worker_line = std::size_t{64} << 20;
using SendLine = std::function<void(const std::string& line)>;

/// Work for a process of its own.
struct WorkerTask {
  /// Runs in the worker, a copy of this process, with that many threads; returns
  /// the worker's exit code. Exceptions that leave it become a line on stderr and their exit code.
  std::function<int(const SendLine& send, int threads)> run;
  std::size_t memory_bytes = 0;  ///< estimate of its peak
  double cost = 0.0;  ///< estimate of its time, in any unit; the most expensive start first
  /// Asked in the worker once its task has ended with 0: whether it keeps a resource that the next
  /// such task would have to create again (a GPU's context). It then takes another task, if there
  /// is one with this member that fits. Empty: a process of its own.
  std::function<bool()> reusable;
  /// One line that names the task to a worker that is no copy: for serve_orders().
  std::string order = {};
};

struct WorkerEnd {
  enum class How {
    exited,
    crashed,
    protocol_error,
    timed_out,
    out_of_memory,
    interrupted,
    not_started
  };
  How how = How::exited;
  int exit_code = 0;        ///< where it exited
  int signal = 0;           ///< where it crashed
  double seconds = 0.0;     ///< from its start
  std::string stderr_text;  ///< its last 16 KiB; why it was not started
};

/// The cause of a worker's end, as reports and the log name it, under these limits.
std::pair<ErrorKind, std::string> cause_of(const WorkerEnd& end, double timeout_seconds,
                                           std::size_t memory_bytes);

struct WorkerPoolOptions {
  int jobs = 1;                  ///< threads of all workers together, 1 or more
  std::size_t memory_bytes = 0;  ///< of all workers together; 0: no bound
  double timeout_seconds = 0.0;  ///< of one worker; 0: none
  std::function<bool()> stop;    ///< asked often; true: end the workers and start no more
};

/// Callbacks of the pool while it runs, on the calling thread.
struct WorkerPoolEvents {
  std::function<void(std::size_t task)> start;
  /// False where the line makes no sense: the worker is ended then, and heard no more.
  std::function<bool(std::size_t task, const std::string& line)> line;
  std::function<void(std::size_t task, const WorkerEnd& end)> end;
  std::function<void()> tick;  ///< about ten times a second
};

/// Runs each task in its own process, reusing workers that report `reusable`, as far as threads and
/// memory allow, and returns when all have ended. A task that crashes or lacks
/// memory in a reused worker has a second try in a new one. A worker may
/// crash, hang or outgrow its memory: it alone is lost. A worker that makes all of them together
/// outgrow the memory is ended and started again when the others are done; alone and still too
/// large, it ends as out_of_memory. Where the system gives no further process, a task waits for
/// others to end, and ends as not_started where there are none. After a stop, tasks that never
/// started get no end. Workers end with their parent, however it ends. Nothing may run in other
/// threads of this process.
void run_workers(const std::vector<WorkerTask>& tasks, const WorkerPoolOptions& options,
                 const WorkerPoolEvents& events);

}  // namespace gvbind
