#include "batch/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
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
  if (!write_all(fd, std::as_bytes(std::span(text)))) _exit(exit_code(ErrorKind::internal));
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
  ssize_t size = 0;
  do size = recv(orders, &order, sizeof order, MSG_WAITALL);
  while (size < 0 && errno == EINTR);
  return size == sizeof order ? order : Order{};
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

struct WorkerEnds {
  int lines, errors, orders;
};

[[noreturn]] void live_as_worker(const std::vector<WorkerTask>& tasks, Order first, WorkerEnds ends,
                                 std::size_t memory_limit, pid_t parent) {
  setpgid(0, 0);
  platform::end_with_parent(SIGTERM);
  if (getppid() != parent) _exit(128 + SIGTERM);  // it ended before the line above
  struct sigaction end {};
  end.sa_handler = end_on_signal;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaction(signal, &end, nullptr);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(ends.errors, STDERR_FILENO);
  forget_status();
  if (memory_limit > 0) limit_memory(memory_limit);
  const int code = run_tasks(tasks, first, ends.lines, ends.orders);
  // The parent's objects are not ours to destroy.
  _exit(code);
}

/// False at its end. Of a worker that writes without end only so much is taken at a time; a pipe
/// holds less, so that all is taken of one that has ended.
bool read_available(int fd, std::string& text) {
  constexpr std::size_t max_bytes = 1 << 20;
  std::array<char, 1 << 16> chunk;
  for (const std::size_t before = text.size(); text.size() < before + max_bytes;) {
    const ssize_t size = read(fd, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    text.append(chunk.data(), static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

WorkerProcess::WorkerProcess(const std::vector<WorkerTask>& tasks, std::size_t first, int threads,
                             std::size_t memory_limit)
    : start_(std::chrono::steady_clock::now()) {
  Pipe lines = open_pipe(), errors = open_pipe();
  std::array<int, 2> orders{};
  if (const int error = platform::open_socket_pair(orders))
    throw Error(ErrorKind::resource,
                "cannot open a socket to a worker: " + std::generic_category().message(error));
  orders_ = OpenFile(orders[0]);
  const OpenFile workers_orders(orders[1]);
  std::fflush(nullptr);  // else the worker would print the buffered text once more
  const pid_t parent = getpid();
  const pid_t pid = fork_process("a worker");
  if (pid == 0)
    live_as_worker(tasks, {first, threads}, {lines.to.get(), errors.to.get(), workers_orders.get()},
                   memory_limit, parent);
  setpgid(pid, pid);  // here too, so that it holds before any signal is sent
  process_ = ChildProcess(pid, ChildProcess::Group::own);
  lines_ = std::move(lines.from);
  stderr_ = std::move(errors.from);
  for (const int fd : {lines_fd(), stderr_fd()}) fcntl(fd, F_SETFL, O_NONBLOCK);
}

void WorkerProcess::assign(std::size_t task, int threads) {
  const Order order{task, threads};
  // Where it has crashed meanwhile the pool hears of that by its end.
  platform::send_quietly(orders_.get(), &order, sizeof order);
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
  return static_cast<std::size_t>(platform::process_memory(process_.id()).resident);
}

double WorkerProcess::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace gvbind
