#include "assets/import/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <system_error>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

using Clock = std::chrono::steady_clock;

enum Verdict : std::uint8_t { answered, refused, out_of_memory };
constexpr std::size_t longest_reason = 300;

#ifdef GVBIND_SANITIZED
constexpr bool address_space_is_ours = false;  // the sanitizer's shadow memory fills it
#else
constexpr bool address_space_is_ours = true;
#endif

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

/// Whatever happens to us, the child is gone and reaped afterwards.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) stop();
  }
  /// The wait status. One that is on its way out keeps the status that it leaves with.
  int stop() {
    kill(pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0)
      if (errno != EINTR) break;
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;
};

std::size_t held_address_space() {
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void limit(int what, rlim_t value) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource_t>(what), &now) != 0) return;
  now.rlim_cur = std::min(value, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(what), &now);
}

/// Our handlers clean up after the parent and must not run here; the parent's descriptors would
/// keep other children's pipes open.
void enter_child(int answer, const ChildLimits& limits, std::size_t address_space) {
  for (int signal_number = 1; signal_number < 32; ++signal_number)
    std::signal(signal_number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);

  dup2(answer, 3);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) dup2(nowhere, fd);
  close_range(4, ~0U, 0);

  prctl(PR_SET_DUMPABLE, 0);  // a pipe in core_pattern would pass by RLIMIT_CORE
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds));
  if (address_space_is_ours) limit(RLIMIT_AS, address_space + limits.memory_bytes);
}

bool send(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  while (size > 0) {
    const ssize_t done = write(3, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

[[noreturn]] void live_as_child(const std::function<std::vector<std::uint8_t>()>& work) {
  bool sent = false;
  std::uint8_t verdict = answered;
  try {
    const std::vector<std::uint8_t> bytes = work();
    sent = send(&verdict, 1) && send(bytes.data(), bytes.size());
  } catch (const std::bad_alloc&) {
    verdict = out_of_memory;
    sent = send(&verdict, 1);
  } catch (const std::exception& error) {
    verdict = refused;
    const char* reason = error.what();
    sent = send(&verdict, 1) && send(reason, std::min(std::strlen(reason), longest_reason));
  } catch (...) {
    verdict = refused;
    sent = send(&verdict, 1);
  }
  _exit(sent ? 0 : 1);
}

[[noreturn]] void refuse_late(int seconds) {
  throw Error(ErrorKind::time_limit,
              "reading took longer than " + std::to_string(seconds) + " s and was stopped");
}

std::vector<std::uint8_t> receive(int fd, const ChildLimits& limits, Clock::time_point end) {
  std::vector<std::uint8_t> bytes;
  std::array<std::uint8_t, 1 << 16> chunk;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) refuse_late(limits.wall_seconds);
    pollfd ready{fd, POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(std::min<long long>(left, 1 << 30)));
    if (count < 0 && errno != EINTR)
      throw Error(ErrorKind::resource, std::string("cannot wait for a child process: ") +
                                           std::generic_category().message(errno));
    if (count <= 0) continue;
    const ssize_t size = read(fd, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return bytes;
    if (bytes.size() + static_cast<std::size_t>(size) > limits.answer_bytes + 1)
      throw Error(
          ErrorKind::resource,
          "holds more than the " + std::to_string(limits.answer_bytes >> 20) + " MiB that we take");
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + size);
  }
}

void check_status(int status, const ChildLimits& limits) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) refuse_late(limits.cpu_seconds);
  std::string how = "status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    how = name ? std::string("SIG") + name : "signal " + std::to_string(WTERMSIG(status));
  }
  throw Error(ErrorKind::input, "the reader crashed on it (" + how + ")");
}

}  // namespace

std::vector<std::uint8_t> run_in_child(const std::function<std::vector<std::uint8_t>()>& work,
                                       const ChildLimits& limits) {
  const auto end = Clock::now() + std::chrono::seconds(limits.wall_seconds);
  const std::size_t address_space = held_address_space();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(ErrorKind::resource,
                "cannot open a pipe: " + std::generic_category().message(errno));
  Descriptor from(ends[0]), to(ends[1]);

  const pid_t pid = fork();
  if (pid < 0)
    throw Error(ErrorKind::resource,
                "cannot start a child process: " + std::generic_category().message(errno));
  if (pid == 0) {
    enter_child(to.get(), limits, address_space);
    live_as_child(work);
  }
  Child child(pid);
  to.reset();
  std::vector<std::uint8_t> bytes = receive(from.get(), limits, end);
  // It has closed its end, so it is leaving; one that lingers has been tampered with.
  check_status(child.stop(), limits);

  if (bytes.empty()) throw Error(ErrorKind::input, "the reader gave no answer");
  const std::uint8_t verdict = bytes.front();
  bytes.erase(bytes.begin());
  if (verdict == answered) return bytes;
  if (verdict == out_of_memory)
    throw Error(ErrorKind::resource, "reading needs more than the " +
                                         std::to_string(limits.memory_bytes >> 20) +
                                         " MiB of memory that it may take");
  bytes.resize(std::min(bytes.size(), longest_reason));
  const std::string reason = one_line(std::string(bytes.begin(), bytes.end()));
  throw Error(ErrorKind::input, reason.empty() ? "cannot be read" : reason);
}

}  // namespace gvbind
