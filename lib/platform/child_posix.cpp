// Tested by tests/unit/io/child_process_test.cpp.

#include "platform/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "platform/files.h"
#include "platform/system.h"

namespace gvbind::platform {

namespace {

#ifdef GVBIND_SANITIZED
constexpr bool address_space_is_ours = false;  // the sanitizer's shadow memory uses it up
#else
constexpr bool address_space_is_ours = true;
#endif

constexpr int answer_fd = 3;

// Some C libraries define a type for this, others use int.
using ResourceName = decltype(RLIMIT_CPU);

void limit(ResourceName what, rlim_t value) {
  rlimit now{};
  if (getrlimit(what, &now) != 0) return;
  now.rlim_cur = std::min(value, now.rlim_max);
  setrlimit(what, &now);
}

/// The parent's signal handlers clean up its files and must not run here. Inherited descriptors
/// would keep other children's pipes open.
void isolate(int answer, const ChildBounds& bounds, std::size_t address_space) {
  for (int number = 1; number < 32; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  end_with_parent(SIGKILL);

  dup2(answer, answer_fd);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < answer_fd; ++fd) dup2(nowhere, fd);
  close_from(answer_fd + 1);

  forbid_core_dumps();
  if (bounds.cpu_seconds > 0) limit(RLIMIT_CPU, static_cast<rlim_t>(bounds.cpu_seconds));
  // If the parent's usage is unknown, no limit for the child alone can be derived.
  if (address_space_is_ours && address_space > 0 && bounds.memory_bytes > 0)
    limit(RLIMIT_AS, address_space + bounds.memory_bytes);
}

[[noreturn]] void live_as_worker(const WorkerWork& work, const WorkerEnds& ends, pid_t parent) {
  setpgid(0, 0);
  end_with_parent(SIGTERM);
  if (getppid() != parent) _exit(128 + SIGTERM);  // it ended before the line above
  struct sigaction end {};
  end.sa_handler = work.on_signal;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaction(signal, &end, nullptr);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(ends.errors, STDERR_FILENO);
  // The parent's objects are not ours to destroy.
  _exit(work.run(ends));
}

template <std::size_t N>
void close_all(const std::array<int, N>& fds) {
  for (const int fd : fds)
    if (fd >= 0) close(fd);
}

/// Pipes for lines, errors and orders: first the reading ends, then the others.
int open_worker_pipes(std::array<int, 6>& fds) {
  std::array<int, 2> ends{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (const int error = i < 2 ? open_pipe(ends) : open_socket_pair(ends)) return error;
    fds[i] = ends[0];
    fds[i + 3] = ends[1];
  }
  return 0;
}

void send_signal(ChildId id, Whole whole, int signal) {
  const auto pid = static_cast<pid_t>(id);
  kill(whole == Whole::group ? -pid : pid, signal);
}

ChildEnd end_of(ChildId id, Whole whole, int status) {
  // Any descendants that it left running.
  if (whole == Whole::group) send_signal(id, whole, SIGKILL);
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace

const bool has_fork = true;
const bool starts_children = true;
const int cpu_limit_signal = SIGXCPU;

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::string signal_text(int signal) { return strsignal(signal); }

int start_isolated(const ChildWork& work, const ChildBounds& bounds, ChildId& id, int& answer) {
  const std::size_t address_space = process_memory(getpid()).addresses;
  std::array<int, 2> ends{};
  if (const int error = open_pipe(ends)) return error;
  const pid_t pid = fork();
  if (pid == 0) {
    isolate(ends[1], bounds, address_space);
    [&]() noexcept { work.run(answer_fd); }();
    _exit(0);
  }
  const int error = pid < 0 ? errno : 0;
  close(ends[1]);
  if (error != 0) close(ends[0]);
  id = pid;
  answer = ends[0];
  return error;
}

int start_worker(const WorkerWork& work, ChildId& id, WorkerEnds& ours) {
  std::array<int, 6> fds;
  fds.fill(-1);
  int error = open_worker_pipes(fds);
  const pid_t parent = getpid();
  const pid_t pid = error == 0 ? fork() : -1;
  if (pid == 0) live_as_worker(work, {fds[3], fds[4], fds[5]}, parent);
  if (error == 0 && pid < 0) error = errno;
  if (error != 0) {
    close_all(fds);
    return error;
  }
  setpgid(pid, pid);  // here too, so that it holds before any signal is sent
  for (const int fd : {fds[3], fds[4], fds[5]}) close(fd);
  for (const int fd : {fds[0], fds[1]}) fcntl(fd, F_SETFL, O_NONBLOCK);
  id = pid;
  ours = {fds[0], fds[1], fds[2]};
  return 0;
}

ChildArguments child_arguments(int, char**) { return {}; }

std::optional<WorkerEnds> own_worker_ends() { return std::nullopt; }

void ask_to_end(ChildId id, Whole whole) { send_signal(id, whole, SIGTERM); }

void kill_child(ChildId id, Whole whole) { send_signal(id, whole, SIGKILL); }

bool take_end(ChildId id, Whole whole, ChildEnd& end) {
  int status = 0;
  if (waitpid(static_cast<pid_t>(id), &status, WNOHANG) != static_cast<pid_t>(id)) return false;
  end = end_of(id, whole, status);
  return true;
}

ChildEnd kill_and_wait(ChildId id, Whole whole) {
  kill_child(id, whole);
  int status = 0;
  while (waitpid(static_cast<pid_t>(id), &status, 0) < 0 && errno == EINTR) {
  }
  return end_of(id, whole, status);
}

std::uint64_t resident_bytes(ChildId id) { return process_memory(static_cast<pid_t>(id)).resident; }

std::ptrdiff_t read_within(int fd, void* data, std::size_t size, int milliseconds) {
  pollfd ready{fd, POLLIN, 0};
  const int count = poll(&ready, 1, milliseconds);
  if (count > 0) return read_some(fd, data, size);
  // After a signal the caller asks again.
  if (count == 0 || errno == EINTR) errno = ETIMEDOUT;
  return -1;
}

std::ptrdiff_t read_now(int fd, void* data, std::size_t size) { return read_some(fd, data, size); }

void wait_for_any(std::span<const int> fds, int milliseconds) {
  std::vector<pollfd> waited;
  for (const int fd : fds) waited.push_back({fd, POLLIN, 0});
  poll(waited.data(), waited.size(), milliseconds);
}

}  // namespace gvbind::platform
