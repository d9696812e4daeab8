#include "batch/worker_process.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "assets/write.h"
#include "caught_error.h"
#include "console.h"
#include "exit_codes.h"
#include "gvbind/base/peak_memory.h"
#include "gvbind/error.h"
#include "memory_limit.h"

namespace gvbind {

namespace {

constexpr std::size_t longest_stderr = 16 << 10;
// Of a worker that has ended a task with 0 and could take another; no task sends such a line.
constexpr std::string_view ready_line = "\x05";

/// What a waiting worker is told, by a socket, since writing to a pipe whose reader has crashed
/// would be a signal.
struct Order {
  std::size_t task = 0;
  int threads = 0;  // 0: to end
};

void send_line(int fd, const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t done = write(fd, text.data() + sent, text.size() - sent);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) _exit(exit_code(ErrorKind::internal));  // nobody listens any more
    sent += static_cast<std::size_t>(done);
  }
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
    if (code != 0 || !task.stays || !task.stays()) return code;
    malloc_trim(0);
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
  prctl(PR_SET_PDEATHSIG, SIGTERM);
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

void close_fd(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

/// False at its end. Of a worker that writes without end only so much is taken at a time; a pipe
/// holds less, so that all is taken of one that has ended.
bool read_available(int fd, std::string& text) {
  constexpr std::size_t most = 1 << 20;
  std::array<char, 1 << 16> chunk;
  for (const std::size_t before = text.size(); text.size() < before + most;) {
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
  std::array<int, 2> lines{-1, -1}, errors{-1, -1}, orders{-1, -1};
  const auto refuse = [&](const char* what) {
    const int error = errno;
    for (auto* pair : {&lines, &errors, &orders})
      for (int& fd : *pair) close_fd(fd);
    throw Error(ErrorKind::resource,
                std::string(what) + ": " + std::generic_category().message(error));
  };
  if (pipe2(lines.data(), O_CLOEXEC) != 0 || pipe2(errors.data(), O_CLOEXEC) != 0)
    refuse("cannot open a pipe to a worker");
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, orders.data()) != 0)
    refuse("cannot open a socket to a worker");
  std::fflush(nullptr);  // else the worker would print what is still buffered once more
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) refuse("cannot start a worker");
  if (pid_ == 0)
    live_as_worker(tasks, {first, threads}, {lines[1], errors[1], orders[1]}, memory_limit, parent);
  setpgid(pid_, pid_);  // here too, so that it holds before any signal is sent
  close_fd(lines[1]);
  close_fd(errors[1]);
  close_fd(orders[1]);
  orders_fd_ = orders[0];
  lines_fd_ = lines[0];
  stderr_fd_ = errors[0];
  for (const int fd : {lines_fd_, stderr_fd_}) fcntl(fd, F_SETFL, O_NONBLOCK);
}

WorkerProcess::~WorkerProcess() {
  if (!reaped_) {
    send_signal(SIGKILL);
    while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  close_fd(lines_fd_);
  close_fd(stderr_fd_);
  close_fd(orders_fd_);
}

void WorkerProcess::give(std::size_t task, int threads) {
  const Order order{task, threads};
  // Where it has crashed meanwhile the pool hears of that by its end.
  send(orders_fd_, &order, sizeof order, MSG_NOSIGNAL);
  waits_ = false;
  stderr_text_.clear();
  start_ = std::chrono::steady_clock::now();
}

void WorkerProcess::dismiss() { give(0, 0); }

void WorkerProcess::read_pipes(std::vector<std::string>& lines) {
  const std::size_t searched = partial_line_.size();
  if (lines_fd_ >= 0 && !read_available(lines_fd_, partial_line_)) close_fd(lines_fd_);
  std::size_t begin = 0;
  for (std::size_t end;
       (end = partial_line_.find('\n', std::max(begin, searched))) != std::string::npos;
       begin = end + 1) {
    lines.push_back(partial_line_.substr(begin, end - begin));
    if (lines.back() != ready_line) continue;
    lines.pop_back();
    waits_ = true;
  }
  partial_line_.erase(0, begin);
  if (partial_line_.size() > max_worker_line) {
    lines.emplace_back();  // stands for one that makes no sense
    partial_line_.clear();
  }

  if (stderr_fd_ >= 0 && !read_available(stderr_fd_, stderr_text_)) close_fd(stderr_fd_);
  if (stderr_text_.size() > longest_stderr)
    stderr_text_.erase(0, stderr_text_.size() - longest_stderr);
}

bool WorkerProcess::ended() {
  if (!reaped_ && waitpid(pid_, &status_, WNOHANG) == pid_) {
    reaped_ = true;
    kill(-pid_, SIGKILL);  // whatever it started and left behind
  }
  return reaped_;
}

void WorkerProcess::send_signal(int signal) const {
  if (!reaped_) kill(-pid_, signal);
}

std::size_t WorkerProcess::resident_bytes() const {
  std::size_t total = 0, resident = 0;
  const std::string path = "/proc/" + std::to_string(pid_) + "/statm";
  if (std::FILE* file = std::fopen(path.c_str(), "re")) {
    if (std::fscanf(file, "%zu %zu", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double WorkerProcess::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace gvbind
