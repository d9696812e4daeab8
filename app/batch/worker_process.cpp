#include "batch/worker_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/console.h"
#include "common/exit_codes.h"
#include "common/resources.h"
#include "gvbind/base/peak_memory.h"
#include "gvbind/error.h"
#include "io/staging_cleanup.h"
#include "platform/files.h"
#include "platform/system.h"

namespace gvbind {

namespace {

constexpr std::size_t longest_stderr = 16 << 10;
// Of a worker that has ended a task with 0 and could take another; no task sends such a line.
constexpr std::string_view ready_line = "\x05";

/// An order to a waiting worker, through a socket, since writing to a pipe whose reader has crashed
/// would be a signal.
struct Order {
  std::size_t task = 0;
  int threads = 0;  // 0: to end
};

void send_line(int fd, const std::string& line) {
  const std::string text = line + "\n";
  // Nobody listens any more.
  if (!write_all(fd, std::as_bytes(std::span(text)))) std::_Exit(exit_code(ErrorKind::internal));
}

int run_task(const WorkerTask& task, int lines, int threads) {
  try {
    return task.run([lines](const std::string& line) { send_line(lines, line); }, threads);
  } catch (...) {
    const Error error = caught_error();
    print_line(stderr, error.what());
    return exit_code(error.kind());
  }
}

/// The next order; to end where there is none to come.
Order wait_for_order(int orders) {
  Order order;
  auto* to = reinterpret_cast<char*>(&order);
  for (std::size_t size = 0; size < sizeof order;) {
    const std::ptrdiff_t got = platform::read_some(orders, to + size, sizeof order - size);
    if (got <= 0) return {};
    size += static_cast<std::size_t>(got);
  }
  return order;
}

/// The worker's exit code: that of its last task.
int run_tasks(const std::vector<WorkerTask>& tasks, Order order, int lines, int orders) {
  for (;;) {
    const WorkerTask& task = tasks[order.task];
    const int code = run_task(task, lines, order.threads);
    std::fflush(nullptr);
    if (code != 0 || !task.reusable || !task.reusable()) return code;
    platform::return_freed_memory();
    restart_peak_memory();
    send_line(lines, std::string(ready_line));
    order = wait_for_order(orders);
    if (order.threads == 0) return 0;
  }
}

/// Up to its end, which is left out; empty where there is none to come.
std::string wait_for_line(int orders) {
  std::string line;
  for (char c = 0; platform::read_some(orders, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

/// False at its end. Of a worker that writes without end only so much is taken at a time; a pipe
/// holds less, so that all is taken of one that has ended.
bool read_available(int fd, std::string& text) {
  constexpr std::size_t max_bytes = 1 << 20;
  std::array<char, 1 << 16> chunk;
  for (const std::size_t before = text.size(); text.size() < before + max_bytes;) {
    const std::ptrdiff_t size = platform::read_now(fd, chunk.data(), chunk.size());
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    text.append(chunk.data(), static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

int serve_orders(const platform::WorkerEnds& ends,
                 const std::function<WorkerTask(const std::string& order)>& task_of) {
  for (int code = 0;;) {
    const std::string line = wait_for_line(ends.orders);
    const std::size_t blank = line.find(' ');
    const int threads = std::atoi(line.c_str());
    if (threads < 1 || blank == std::string::npos) return code;
    const WorkerTask task = task_of(line.substr(blank + 1));
    code = run_task(task, ends.lines, threads);
    std::fflush(nullptr);
    if (code != 0 || !task.reusable || !task.reusable()) return code;
    send_line(ends.lines, std::string(ready_line));
  }
}

WorkerProcess::WorkerProcess(const std::vector<WorkerTask>& tasks, std::size_t first, int threads,
                             std::size_t memory_limit)
    : tasks_(&tasks), start_(std::chrono::steady_clock::now()) {
  std::fflush(nullptr);  // else the worker would print the buffered text once more
  platform::WorkerWork work;
  work.run = [&](const platform::WorkerEnds& ends) {
    forget_status();
    if (memory_limit > 0) limit_memory(memory_limit);
    return run_tasks(tasks, {first, threads}, ends.lines, ends.orders);
  };
  work.on_signal = end_on_signal;
  platform::ChildId id = -1;
  platform::WorkerEnds ours;
  if (const int error = platform::start_worker(work, id, ours)) refuse_child("a worker", error);
  process_ = ChildProcess(id, platform::Whole::group);
  lines_ = OpenFile(ours.lines);
  stderr_ = OpenFile(ours.errors);
  orders_ = OpenFile(ours.orders);
  if (!platform::has_fork) assign(first, threads);
}

void WorkerProcess::assign(std::size_t task, int threads) {
  const Order order{task, threads};
  const std::string text = platform::has_fork
                               ? std::string(reinterpret_cast<const char*>(&order), sizeof order)
                               : std::to_string(threads) + ' ' + (*tasks_)[task].order + '\n';
  // Where it has crashed meanwhile the pool hears of that by its end.
  platform::send_quietly(orders_.get(), text.data(), text.size());
  ready_ = false;
  stderr_text_.clear();
  start_ = std::chrono::steady_clock::now();
}

void WorkerProcess::dismiss() { assign(0, 0); }

void WorkerProcess::read_pipes(std::vector<std::string>& lines) {
  const std::size_t searched = partial_line_.size();
  if (lines_fd() >= 0 && !read_available(lines_fd(), partial_line_)) lines_.closes();
  std::size_t begin = 0;
  for (std::size_t end;
       (end = partial_line_.find('\n', std::max(begin, searched))) != std::string::npos;
       begin = end + 1) {
    lines.push_back(partial_line_.substr(begin, end - begin));
    if (lines.back() != ready_line) continue;
    lines.pop_back();
    ready_ = true;
  }
  partial_line_.erase(0, begin);
  if (partial_line_.size() > max_worker_line) {
    lines.emplace_back();  // stands for one that makes no sense
    partial_line_.clear();
  }

  if (stderr_fd() >= 0 && !read_available(stderr_fd(), stderr_text_)) stderr_.closes();
  if (stderr_text_.size() > longest_stderr)
    stderr_text_.erase(0, stderr_text_.size() - longest_stderr);
}

std::size_t WorkerProcess::resident_bytes() const {
  return static_cast<std::size_t>(process_.resident_bytes());
}

double WorkerProcess::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace gvbind
