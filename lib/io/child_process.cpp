#include "io/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "gvbind/error.h"
#include "platform/system.h"

namespace gvbind {

namespace {

using Clock = std::chrono::steady_clock;

#ifdef GVBIND_SANITIZED
constexpr bool address_space_is_ours = false;  // the sanitizer's shadow memory uses it up
#else
constexpr bool address_space_is_ours = true;
#endif

constexpr int answer_fd = 3;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::resource,
              "cannot " + what + ": " + std::generic_category().message(errno));
}

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
void enter_child(int answer, const ChildLimits& limits, std::size_t address_space) {
  for (int signal_number = 1; signal_number < 32; ++signal_number)
    std::signal(signal_number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  platform::end_with_parent(SIGKILL);

  dup2(answer, answer_fd);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < answer_fd; ++fd) dup2(nowhere, fd);
  platform::close_from(answer_fd + 1);

  platform::forbid_core_dumps();
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds));
  // If the parent's usage is unknown, no limit for the child alone can be derived.
  if (address_space_is_ours && address_space > 0 && limits.memory_bytes > 0)
    limit(RLIMIT_AS, address_space + limits.memory_bytes);
}

/// Milliseconds until `moment`, for poll(); 0 if it is past.
int milliseconds_until(Clock::time_point moment) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(moment - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

ChildAnswer::End read_answer(int fd, Clock::time_point deadline, std::size_t max_bytes,
                             std::vector<std::uint8_t>& bytes) {
  std::array<std::uint8_t, 1 << 16> chunk;
  for (;;) {
    const int left = milliseconds_until(deadline);
    if (left == 0) return ChildAnswer::End::too_late;
    pollfd ready{fd, POLLIN, 0};
    const int count = poll(&ready, 1, left);
    if (count < 0 && errno != EINTR) refuse("wait for a child process");
    if (count <= 0) continue;
    const ssize_t size = read(fd, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return ChildAnswer::End::by_itself;
    if (bytes.size() + static_cast<std::size_t>(size) > max_bytes)
      return ChildAnswer::End::too_long;
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + size);
  }
}

}  // namespace

Pipe open_pipe() {
  std::array<int, 2> ends{};
  errno = platform::open_pipe(ends);
  if (errno != 0) refuse("open a pipe");
  return {OpenFile(ends[0]), OpenFile(ends[1])};
}

pid_t fork_process(const char* what) {
  const pid_t pid = fork();
  if (pid < 0) refuse(std::string("start ") + what);
  return pid;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(other.pid_),
      group_(other.group_),
      ended_(std::exchange(other.ended_, true)),
      status_(other.status_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(group_, other.group_);
  std::swap(ended_, other.ended_);
  std::swap(status_, other.status_);
  return *this;
}

void ChildProcess::send_signal(int signal) const {
  if (!ended_) kill(group_ == Group::own ? -pid_ : pid_, signal);
}

void ChildProcess::take_status(int status) {
  status_ = status;
  ended_ = true;
  if (group_ == Group::own) kill(-pid_, SIGKILL);  // any descendants that it left running
}

bool ChildProcess::ended() {
  int status = 0;
  if (!ended_ && waitpid(pid_, &status, WNOHANG) == pid_) take_status(status);
  return ended_;
}

int ChildProcess::stop() {
  if (ended_) return status_;
  send_signal(SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  take_status(status);
  return status_;
}

IsolatedChild::IsolatedChild(const std::function<void(int)>& work, const ChildLimits& limits)
    : answer_bytes_(limits.answer_bytes),
      deadline_(Clock::now() + std::chrono::seconds(limits.wall_seconds)) {
  const std::size_t address_space = platform::process_memory(getpid()).addresses;
  Pipe pipe = open_pipe();
  const pid_t pid = fork_process();
  if (pid == 0) {
    enter_child(pipe.to.get(), limits, address_space);
    [&]() noexcept { work(answer_fd); }();
    _exit(0);
  }
  process_ = ChildProcess(pid);
  answer_ = std::move(pipe.from);
}

ChildAnswer IsolatedChild::wait() {
  ChildAnswer answer;
  answer.end = read_answer(answer_.get(), deadline_, answer_bytes_, answer.bytes);
  // It closed its end, so it is exiting; a process that lingers has been tampered with.
  answer.status = process_.stop();
  return answer;
}

}  // namespace gvbind
