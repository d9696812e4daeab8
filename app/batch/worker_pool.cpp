#include "batch/worker_pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <list>
#include <numeric>

#include "batch/worker_process.h"
#include "common/exit_codes.h"
#include "gvbind/error.h"
#include "io/staging_cleanup.h"

namespace gvbind {

namespace {

volatile sig_atomic_t came = 0;

void take_signal(int signal) {
  if (came != 0) end_on_signal(signal);
  came = signal;
}

constexpr int tick_milliseconds = 100;
constexpr double grace_seconds = 2.0;  // between the polite signal and the other one

struct Running {
  std::size_t task;
  int threads;
  std::size_t memory_bytes;  // reserved for it
  WorkerProcess process;
  WorkerEnd::How how = WorkerEnd::How::exited;  // why it was terminated
  bool again = false;                           // it is to start once more
  double terminated_at = -1.0;                  // seconds of its life; negative: not terminated

  bool had_others = false;  // tasks before this one
  bool dismissed = false;   // it has no task any more and is about to end

  Running(const std::vector<WorkerTask>& tasks, std::size_t index, int thread_count,
          std::size_t set_aside, std::size_t limit)
      : task(index),
        threads(thread_count),
        memory_bytes(set_aside),
        process(tasks, index, thread_count, limit) {}

  void terminate(WorkerEnd::How why) {
    if (terminated_at >= 0.0) return;
    how = why;
    terminated_at = process.seconds();
    process.send_signal(SIGTERM);
  }
};

/// By a signal that asks for it, whether the worker's handler took it or not.
bool asked_to_end(int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
  return signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

class Pool {
 public:
  Pool(const std::vector<WorkerTask>& tasks, const WorkerPoolOptions& options,
       const WorkerPoolEvents& events)
      : tasks_(tasks),
        options_(options),
        events_(events),
        waiting_(tasks.size()),
        alone_(tasks.size()) {
    std::iota(waiting_.begin(), waiting_.end(), std::size_t{0});
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [&](std::size_t a, std::size_t b) { return tasks[a].cost > tasks[b].cost; });
    estimate_.reserve(tasks.size());
    for (const WorkerTask& task : tasks) estimate_.push_back(task.memory_bytes);
  }

  void run() {
    while (!waiting_.empty() || !running_.empty()) {
      if (!stopped_ && options_.stop && options_.stop()) {
        stopped_ = true;
        waiting_.clear();
        for (Running& one : running_) one.terminate(WorkerEnd::How::interrupted);
      }
      schedule();
      wait_for_pipes();
      for (auto one = running_.begin(); one != running_.end();) one = poll_worker(one);
      hold_memory();
      if (events_.tick) events_.tick();
    }
  }

 private:
  int free_threads() const {
    int used = 0;
    for (const Running& one : running_) used += one.threads;
    return options_.jobs - used;
  }

  bool fits(std::size_t task) const {
    if (running_.empty() || options_.memory_bytes == 0) return true;
    std::size_t used = estimate_[task];
    for (const Running& one : running_) used += one.memory_bytes;
    return used <= options_.memory_bytes;
  }

  /// The first of those that wait and fit; the end where there is none.
  std::vector<std::size_t>::iterator next_fitting() {
    return std::find_if(waiting_.begin(), waiting_.end(),
                        [&](std::size_t task) { return fits(task); });
  }

  /// Beyond one only where tasks are too few to use them.
  int threads_for_next() const {
    const int free = free_threads();
    return std::max(1, free / static_cast<int>(std::min<std::size_t>(
                                  waiting_.size(), static_cast<std::size_t>(free))));
  }

  void schedule() {
    while (free_threads() > 0 && !waiting_.empty()) {
      const auto next = next_fitting();
      if (next == waiting_.end()) return;
      const std::size_t task = *next;
      const int threads = threads_for_next();
      try {
        running_.emplace_back(tasks_, task, threads, estimate_[task], options_.memory_bytes);
      } catch (const Error& error) {
        if (!running_.empty()) return;
        refuse(task, error.what());
      }
      waiting_.erase(next);
      if (events_.start) events_.start(task);
    }
  }

  void refuse(std::size_t task, const char* why) {
    if (!events_.end) return;
    WorkerEnd end;
    end.how = WorkerEnd::How::not_started;
    end.stderr_text = why;
    events_.end(task, end);
  }

  /// The worker waits: its task is done, and it gets the next one or none any more.
  void reuse_worker(Running& one, bool lives) {
    WorkerEnd end;
    if (one.how == WorkerEnd::How::protocol_error) end.how = one.how;
    end.seconds = one.process.seconds();
    end.stderr_text = one.process.stderr_text();
    log_summary(one, end);
    one.threads = 0;
    one.memory_bytes = 0;
    const auto next = lives && one.terminated_at < 0.0 ? next_fitting() : waiting_.end();
    if (next == waiting_.end() || !tasks_[*next].reusable || alone_[*next]) {
      one.process.dismiss();
      one.dismissed = true;
      one.terminated_at = 0.0;  // its grace begins
      return;
    }
    one.task = *next;
    one.threads = threads_for_next();
    one.memory_bytes = estimate_[one.task];
    one.had_others = true;
    waiting_.erase(next);
    one.process.give(one.task, one.threads);
    if (events_.start) events_.start(one.task);
  }

  void wait_for_pipes() {
    std::vector<pollfd> fds;
    for (const Running& one : running_)
      for (const int fd : {one.process.lines_fd(), one.process.stderr_fd()})
        if (fd >= 0) fds.push_back({fd, POLLIN, 0});
    // A worker that has closed its pipes is about to end.
    const bool closing = fds.size() < 2 * running_.size();
    poll(fds.data(), fds.size(), closing ? 1 : tick_milliseconds);
  }

  std::list<Running>::iterator poll_worker(std::list<Running>::iterator one) {
    const bool ended = one->process.ended();  // asked first: its last words are in the pipes then
    std::vector<std::string> lines;
    one->process.read_pipes(lines);
    if (events_.line)
      for (const std::string& line : lines) receive(*one, line);
    if (one->process.waits() && !one->dismissed) reuse_worker(*one, !ended);
    if (ended) {
      if (!one->dismissed) finish(*one);
      return running_.erase(one);
    }
    const double life = one->process.seconds();
    if (options_.timeout_seconds > 0 && life > options_.timeout_seconds && !one->dismissed)
      one->terminate(WorkerEnd::How::timed_out);
    if (one->terminated_at >= 0.0 && life > one->terminated_at + grace_seconds)
      one->process.send_signal(SIGKILL);
    return std::next(one);
  }

  void receive(Running& one, const std::string& line) {
    if (one.how == WorkerEnd::How::protocol_error || events_.line(one.task, line)) return;
    one.terminate(WorkerEnd::How::protocol_error);
    one.how = WorkerEnd::How::protocol_error;  // whatever it was terminated for before
    one.again = false;
  }

  void finish(const Running& one) {
    const int status = one.process.status();
    const bool by_itself = WIFEXITED(status) && WEXITSTATUS(status) < 128;
    if (one.again && !by_itself && !stopped_) {
      waiting_.push_back(one.task);
      return;
    }
    WorkerEnd end;
    end.how = one.how;
    const bool understood = one.how != WorkerEnd::How::protocol_error;
    if (by_itself && understood) end.how = WorkerEnd::How::exited;  // done before the signal came
    if (WIFSIGNALED(status) && one.terminated_at < 0.0) end.how = WorkerEnd::How::crashed;
    // A farm tells every process of a job to end, workers perhaps before us.
    if (one.terminated_at < 0.0 && asked_to_end(status)) end.how = WorkerEnd::How::interrupted;
    if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    const bool lost =
        end.how == WorkerEnd::How::crashed || end.exit_code == exit_code(ErrorKind::resource);
    if (one.had_others && lost && !stopped_) {
      alone_[one.task] = true;
      waiting_.push_back(one.task);
      return;
    }
    end.seconds = one.process.seconds();
    end.stderr_text = one.process.stderr_text();
    log_summary(one, end);
  }

  void log_summary(const Running& one, const WorkerEnd& end) {
    if (events_.end) events_.end(one.task, end);
  }

  /// Estimates err, so the real memory of the workers is checked.
  void hold_memory() {
    if (options_.memory_bytes == 0) return;
    std::size_t sum = 0, live = 0;
    for (const Running& one : running_) {
      sum += one.process.resident_bytes();
      live += one.terminated_at < 0.0;
    }
    if (sum <= options_.memory_bytes || live == 0) return;
    // The youngest has the least to lose.
    const auto youngest = std::find_if(running_.rbegin(), running_.rend(),
                                       [](const Running& one) { return one.terminated_at < 0.0; });
    youngest->again = running_.size() > 1;
    // It is to wait until it can have all.
    if (youngest->again) estimate_[youngest->task] = options_.memory_bytes;
    youngest->terminate(WorkerEnd::How::out_of_memory);
  }

  const std::vector<WorkerTask>& tasks_;
  const WorkerPoolOptions& options_;
  const WorkerPoolEvents& events_;
  std::vector<std::size_t> waiting_;   // in the order in which they are to start
  std::vector<std::size_t> estimate_;  // bytes, by task
  std::vector<char> alone_;            // by task: it has failed in a worker that had others before
  std::list<Running> running_;         // in the order in which they started
  bool stopped_ = false;
};

}  // namespace

StopSignals::StopSignals() {
  came = 0;
  struct sigaction stop {};
  stop.sa_handler = take_signal;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &stop, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

int stop_signal() { return came; }

void run_workers(const std::vector<WorkerTask>& tasks, const WorkerPoolOptions& options,
                 const WorkerPoolEvents& events) {
  Pool(tasks, options, events).run();
}

}  // namespace gvbind
