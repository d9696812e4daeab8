#include "batch/worker_pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <list>
#include <numeric>

#include "batch/worker_process.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr int tick_milliseconds = 100;
constexpr double grace_seconds = 2.0;  // between the polite signal and the other one

struct Running {
  std::size_t task;
  int threads;
  std::size_t memory_bytes;  // what was set aside for it
  WorkerProcess process;
  WorkerEnd::How how = WorkerEnd::How::exited;  // why it was told to end
  bool again = false;                           // it is to start once more
  double told_at = -1.0;                        // seconds of its life; negative: not told to end

  Running(std::size_t index, const WorkerTask& work, int thread_count, std::size_t set_aside,
          std::size_t limit)
      : task(index),
        threads(thread_count),
        memory_bytes(set_aside),
        process(work, thread_count, limit) {}

  void tell_to_end(WorkerEnd::How why) {
    if (told_at >= 0.0) return;
    how = why;
    told_at = process.seconds();
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
      : tasks_(tasks), options_(options), events_(events), waiting_(tasks.size()) {
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
        for (Running& one : running_) one.tell_to_end(WorkerEnd::How::interrupted);
      }
      start_what_fits();
      wait_for_pipes();
      for (auto one = running_.begin(); one != running_.end();) one = look_after(one);
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

  void start_what_fits() {
    for (int free = free_threads(); free > 0 && !waiting_.empty(); free = free_threads()) {
      const auto next = std::find_if(waiting_.begin(), waiting_.end(),
                                     [&](std::size_t task) { return fits(task); });
      if (next == waiting_.end()) return;
      const std::size_t task = *next;
      // Threads beyond one only where tasks are too few to use them.
      const int threads = std::max(1, free / static_cast<int>(std::min<std::size_t>(
                                                 waiting_.size(), static_cast<std::size_t>(free))));
      waiting_.erase(next);
      running_.emplace_back(task, tasks_[task], threads, estimate_[task], options_.memory_bytes);
      if (events_.start) events_.start(task);
    }
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

  std::list<Running>::iterator look_after(std::list<Running>::iterator one) {
    const bool ended = one->process.ended();  // asked first: its last words are in the pipes then
    std::vector<std::string> lines;
    one->process.read_pipes(lines);
    if (events_.line)
      for (const std::string& line : lines) hear(*one, line);
    if (ended) {
      finish(*one);
      return running_.erase(one);
    }
    const double life = one->process.seconds();
    if (options_.timeout_seconds > 0 && life > options_.timeout_seconds)
      one->tell_to_end(WorkerEnd::How::timed_out);
    if (one->told_at >= 0.0 && life > one->told_at + grace_seconds)
      one->process.send_signal(SIGKILL);
    return std::next(one);
  }

  void hear(Running& one, const std::string& line) {
    if (one.how == WorkerEnd::How::nonsense || events_.line(one.task, line)) return;
    one.tell_to_end(WorkerEnd::How::nonsense);
    one.how = WorkerEnd::How::nonsense;  // whatever it was told to end for before
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
    const bool heard = one.how != WorkerEnd::How::nonsense;
    if (by_itself && heard) end.how = WorkerEnd::How::exited;  // done before the signal came
    if (WIFSIGNALED(status) && one.told_at < 0.0) end.how = WorkerEnd::How::crashed;
    // A farm tells every process of a job to end, workers perhaps before us.
    if (one.told_at < 0.0 && asked_to_end(status)) end.how = WorkerEnd::How::interrupted;
    if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    end.seconds = one.process.seconds();
    end.stderr_text = one.process.stderr_text();
    if (events_.end) events_.end(one.task, end);
  }

  /// Estimates err, so what the workers really hold is looked at.
  void hold_memory() {
    if (options_.memory_bytes == 0) return;
    std::size_t sum = 0, live = 0;
    for (const Running& one : running_) {
      sum += one.process.resident_bytes();
      live += one.told_at < 0.0;
    }
    if (sum <= options_.memory_bytes || live == 0) return;
    // The youngest has the least to lose.
    const auto youngest = std::find_if(running_.rbegin(), running_.rend(),
                                       [](const Running& one) { return one.told_at < 0.0; });
    youngest->again = running_.size() > 1;
    // It is to wait until it can have all.
    if (youngest->again) estimate_[youngest->task] = options_.memory_bytes;
    youngest->tell_to_end(WorkerEnd::How::out_of_memory);
  }

  const std::vector<WorkerTask>& tasks_;
  const WorkerPoolOptions& options_;
  const WorkerPoolEvents& events_;
  std::vector<std::size_t> waiting_;   // in the order in which they are to start
  std::vector<std::size_t> estimate_;  // bytes, by task
  std::list<Running> running_;         // in the order in which they started
  bool stopped_ = false;
};

}  // namespace

void run_workers(const std::vector<WorkerTask>& tasks, const WorkerPoolOptions& options,
                 const WorkerPoolEvents& events) {
  Pool(tasks, options, events).run();
}

}  // namespace gvbind
