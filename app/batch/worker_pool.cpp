#include "batch/worker_pool.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <list>
#include <numeric>

#include "batch/worker_process.h"
#include "common/exit_codes.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/staging_cleanup.h"
#include "platform/child.h"

namespace gvbind {

namespace {

volatile std::sig_atomic_t pending_signal = 0;

void note_signal(int signal) {
  if (pending_signal != 0) end_on_signal(signal);
  pending_signal = signal;
}

/// Forgets earlier signals.
platform::SignalHandler fresh_handler() {
  pending_signal = 0;
  return note_signal;
}

constexpr int tick_milliseconds = 100;
constexpr double grace_seconds = 2.0;  // between SIGTERM or the dismissal and SIGKILL

enum class WorkerState {
  running,  // has a task
  // These have a task, too, and were sent SIGTERM.
  timed_out,
  out_of_memory,  // alone larger than the limit
  preempted,      // all together larger than the limit; the task starts again later
  interrupted,    // the run was stopped
  rejected,       // sent a line that makes no sense
  // Its task has ended and it gets no other.
  dismissed,
};

/// All transitions. A worker that was sent SIGTERM may still end its task, or write nonsense,
/// before it gets the signal. One that is reused stays in `running`.
bool may_follow(WorkerState from, WorkerState to) {
  switch (from) {
    case WorkerState::running:
      return true;
    case WorkerState::dismissed:
      return false;
    case WorkerState::rejected:
      return to == WorkerState::dismissed;
    default:
      return to == WorkerState::dismissed || to == WorkerState::rejected;
  }
}

struct Worker {
  std::size_t task;
  int threads;
  std::size_t memory_bytes;  // reserved for its task
  WorkerProcess process;
  WorkerState state = WorkerState::running;
  double kill_at = 0.0;  // seconds of its task, once it has left `running`
  bool reused = false;   // had tasks before this one
};

/// Does nothing if `next` may not follow: the first limit that a worker exceeds is reported.
void enter(Worker& worker, WorkerState next) {
  if (!may_follow(worker.state, next)) return;
  const bool first = worker.state == WorkerState::running;
  if (next == WorkerState::dismissed)
    worker.process.dismiss();
  else if (first)
    worker.process.ask_to_end();
  // A rejected worker has no second grace. The clock of a dismissed one starts anew.
  if (first || next == WorkerState::dismissed)
    worker.kill_at = worker.process.seconds() + grace_seconds;
  worker.state = next;
}

/// Whether a signal that asks it to end did so, whether the worker's handler ran or not.
bool was_asked_to_end(const platform::ChildEnd& end) {
  const int signal = end.signal != 0 ? end.signal : end.exit_code - 128;
  return signal == SIGTERM || signal == SIGINT || signal == platform::hangup_signal;
}

/// The signal handler exits with 128 plus the number of the signal.
bool exited_by_itself(const platform::ChildEnd& end) {
  return end.signal == 0 && end.exit_code < 128;
}

/// Of a worker that ended during its task.
WorkerEnd::How how_ended(WorkerState state, const platform::ChildEnd& end) {
  using How = WorkerEnd::How;
  if (state == WorkerState::rejected) return How::protocol_error;
  if (exited_by_itself(end)) return How::exited;  // the task was done before the signal came
  switch (state) {
    case WorkerState::timed_out:
      return How::timed_out;
    case WorkerState::out_of_memory:
      return How::out_of_memory;
    case WorkerState::preempted:  // its task would start again if the run were not stopped
    case WorkerState::interrupted:
      return How::interrupted;
    default:
      break;
  }
  // A farm sends a signal to every process of a job, workers perhaps before this one.
  if (was_asked_to_end(end)) return How::interrupted;
  return end.signal != 0 ? How::crashed : How::exited;
}

struct TaskPlan {
  std::size_t memory_bytes = 0;   // reserved while it runs
  bool needs_new_worker = false;  // it has failed in a reused one
};

struct Pool {
  const std::vector<WorkerTask>& tasks;
  const WorkerPoolOptions& options;
  const WorkerPoolEvents& events;
  std::vector<TaskPlan> plans;       // by task
  std::vector<std::size_t> waiting;  // tasks, in the order in which they are to start
  std::list<Worker> workers;         // in the order in which they started
  bool stopped = false;
};

Pool make_pool(const std::vector<WorkerTask>& tasks, const WorkerPoolOptions& options,
               const WorkerPoolEvents& events) {
  Pool pool{tasks, options, events, {}, std::vector<std::size_t>(tasks.size()), {}};
  for (const WorkerTask& task : tasks) pool.plans.push_back({task.memory_bytes});
  std::iota(pool.waiting.begin(), pool.waiting.end(), std::size_t{0});
  std::stable_sort(pool.waiting.begin(), pool.waiting.end(),
                   [&](std::size_t a, std::size_t b) { return tasks[a].cost > tasks[b].cost; });
  return pool;
}

int free_threads(const Pool& pool) {
  int used = 0;
  for (const Worker& worker : pool.workers) used += worker.threads;
  return pool.options.jobs - used;
}

/// A task that is larger than the limit runs alone.
bool fits(const Pool& pool, std::size_t task) {
  if (pool.workers.empty() || pool.options.memory_bytes == 0) return true;
  std::size_t used = pool.plans[task].memory_bytes;
  for (const Worker& worker : pool.workers) used += worker.memory_bytes;
  return used <= pool.options.memory_bytes;
}

/// The first waiting task that fits; the end if there is none.
std::vector<std::size_t>::iterator next_fitting(Pool& pool) {
  return std::ranges::find_if(pool.waiting, [&](std::size_t task) { return fits(pool, task); });
}

/// More than one only if there are too few tasks to use all threads.
int threads_for_next(const Pool& pool) {
  const int free = free_threads(pool);
  return std::max(1, free / static_cast<int>(std::min<std::size_t>(
                                pool.waiting.size(), static_cast<std::size_t>(free))));
}

void report_start(const Pool& pool, std::size_t task) {
  if (pool.events.start) pool.events.start(task);
}

void report_end(const Pool& pool, std::size_t task, const WorkerEnd& end) {
  if (pool.events.end) pool.events.end(task, end);
}

/// The end of its task, without codes.
WorkerEnd end_of(const Worker& worker, WorkerEnd::How how) {
  WorkerEnd end;
  end.how = how;
  end.seconds = worker.process.seconds();
  end.stderr_text = worker.process.stderr_text();
  return end;
}

/// Starts workers for tasks that wait, as far as threads and memory allow.
void schedule(Pool& pool) {
  while (free_threads(pool) > 0 && !pool.waiting.empty()) {
    const auto next = next_fitting(pool);
    if (next == pool.waiting.end()) return;
    const std::size_t task = *next;
    const int threads = threads_for_next(pool);
    const std::size_t memory = pool.plans[task].memory_bytes;
    std::string problem;
    try {
      pool.workers.push_back(
          {task, threads, memory, {pool.tasks, task, threads, pool.options.memory_bytes}});
    } catch (const Error& error) {
      // The system may have a process to give once another worker has ended.
      if (!pool.workers.empty()) return;
      problem = error.what();
    }
    pool.waiting.erase(next);
    report_start(pool, task);
    if (problem.empty()) continue;
    WorkerEnd end;
    end.how = WorkerEnd::How::not_started;
    end.stderr_text = problem;
    report_end(pool, task, end);
  }
}

/// Gives a worker that has ended its task another, or dismisses it. Only the next task that fits is
/// considered, so that reuse does not change the order in which tasks start.
void reuse_worker(Pool& pool, Worker& worker, bool alive) {
  const bool understood = worker.state != WorkerState::rejected;
  report_end(pool, worker.task,
             end_of(worker, understood ? WorkerEnd::How::exited : WorkerEnd::How::protocol_error));
  // Its own share counts as free for the next task.
  worker.threads = 0;
  worker.memory_bytes = 0;
  const bool usable = alive && worker.state == WorkerState::running;
  const auto next = usable ? next_fitting(pool) : pool.waiting.end();
  if (next == pool.waiting.end() || !pool.tasks[*next].reusable ||
      pool.plans[*next].needs_new_worker) {
    enter(worker, WorkerState::dismissed);
    return;
  }
  worker.task = *next;
  worker.threads = threads_for_next(pool);
  worker.memory_bytes = pool.plans[worker.task].memory_bytes;
  worker.reused = true;
  pool.waiting.erase(next);
  worker.process.assign(worker.task, worker.threads);
  report_start(pool, worker.task);
}

/// Lets the task of a worker that has ended wait again, or reports its end.
void finish_task(Pool& pool, const Worker& worker) {
  const platform::ChildEnd status = worker.process.end();
  if (worker.state == WorkerState::preempted && !exited_by_itself(status) && !pool.stopped) {
    pool.waiting.push_back(worker.task);
    return;
  }
  WorkerEnd end = end_of(worker, how_ended(worker.state, status));
  end.exit_code = status.exit_code;
  end.signal = status.signal;
  // An earlier task may have left the worker short of memory, or its driver broken.
  const bool retry =
      end.how == WorkerEnd::How::crashed || end.exit_code == exit_code(ErrorKind::resource);
  if (worker.reused && retry && !pool.stopped) {
    pool.plans[worker.task].needs_new_worker = true;
    pool.waiting.push_back(worker.task);
    return;
  }
  report_end(pool, worker.task, end);
}

void read_lines(Pool& pool, Worker& worker) {
  std::vector<std::string> lines;
  worker.process.read_pipes(lines);
  if (!pool.events.line) return;
  for (const std::string& line : lines)
    if (worker.state != WorkerState::rejected && !pool.events.line(worker.task, line))
      enter(worker, WorkerState::rejected);
}

/// Returns false once it has ended.
bool poll_worker(Pool& pool, Worker& worker) {
  const bool ended = worker.process.ended();  // asked first, so that the pipes hold all it wrote
  read_lines(pool, worker);
  if (worker.process.is_ready() && worker.state != WorkerState::dismissed)
    reuse_worker(pool, worker, !ended);
  if (ended) {
    if (worker.state != WorkerState::dismissed) finish_task(pool, worker);
    return false;
  }
  const double timeout = pool.options.timeout_seconds;
  if (timeout > 0 && worker.process.seconds() > timeout) enter(worker, WorkerState::timed_out);
  if (worker.state != WorkerState::running && worker.process.seconds() > worker.kill_at)
    worker.process.kill();
  return true;
}

/// Waits for output of the workers, or for the next tick.
void wait_for_pipes(const Pool& pool) {
  std::vector<int> fds;
  for (const Worker& worker : pool.workers)
    for (const int fd : {worker.process.lines_fd(), worker.process.stderr_fd()})
      if (fd >= 0) fds.push_back(fd);
  // A worker that has closed its pipes is about to end, which no pipe will tell.
  const bool closing = fds.size() < 2 * pool.workers.size();
  platform::wait_for_any(fds, closing ? 1 : tick_milliseconds);
}

/// Stops a worker if all together use more than the limit: estimates may be too low.
void enforce_memory_limit(Pool& pool) {
  if (pool.options.memory_bytes == 0) return;
  std::size_t sum = 0;
  for (const Worker& worker : pool.workers) sum += worker.process.resident_bytes();
  if (sum <= pool.options.memory_bytes) return;
  // The youngest loses the least work.
  const auto youngest =
      std::find_if(pool.workers.rbegin(), pool.workers.rend(),
                   [](const Worker& worker) { return worker.state == WorkerState::running; });
  if (youngest == pool.workers.rend()) return;
  const bool alone = pool.workers.size() == 1;
  // The second time, it starts alone.
  if (!alone) pool.plans[youngest->task].memory_bytes = pool.options.memory_bytes;
  enter(*youngest, alone ? WorkerState::out_of_memory : WorkerState::preempted);
}

void stop(Pool& pool) {
  pool.stopped = true;
  pool.waiting.clear();
  for (Worker& worker : pool.workers) enter(worker, WorkerState::interrupted);
}

}  // namespace

StopSignals::StopSignals() : handlers_(fresh_handler()) {}

int stop_signal() { return pending_signal; }

void run_workers(const std::vector<WorkerTask>& tasks, const WorkerPoolOptions& options,
                 const WorkerPoolEvents& events) {
  Pool pool = make_pool(tasks, options, events);
  while (!pool.waiting.empty() || !pool.workers.empty()) {
    if (!pool.stopped && options.stop && options.stop()) stop(pool);
    schedule(pool);
    wait_for_pipes(pool);
    for (auto worker = pool.workers.begin(); worker != pool.workers.end();)
      worker = poll_worker(pool, *worker) ? std::next(worker) : pool.workers.erase(worker);
    enforce_memory_limit(pool);
    if (events.tick) events.tick();
  }
}

std::pair<ErrorKind, std::string> cause_of(const WorkerEnd& end, double timeout_seconds,
                                           std::size_t memory_bytes) {
  char text[160];
  switch (end.how) {
    case WorkerEnd::How::timed_out:
      std::snprintf(text, sizeof text, "not finished after %g s (--timeout)", timeout_seconds);
      return {ErrorKind::time_limit, text};
    case WorkerEnd::How::out_of_memory:
      std::snprintf(text, sizeof text, "needs more than %.0f MB of memory (--max-memory)",
                    static_cast<double>(memory_bytes) / 1e6);
      return {ErrorKind::resource, text};
    case WorkerEnd::How::not_started:
      return {ErrorKind::resource, one_line(end.stderr_text)};
    case WorkerEnd::How::protocol_error:
      return {ErrorKind::internal, "its worker crashed: protocol error"};
    case WorkerEnd::How::crashed:
      std::snprintf(text, sizeof text, "its worker crashed: %s",
                    platform::signal_text(end.signal).c_str());
      return {ErrorKind::internal, text};
    default:
      std::snprintf(text, sizeof text, "its worker ended with exit code %d and no answer",
                    end.exit_code);
      return {ErrorKind::internal, text};
  }
}

}  // namespace gvbind
