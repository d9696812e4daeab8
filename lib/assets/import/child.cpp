#include "assets/import/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <string>

#include "assets/number_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

enum Verdict : std::uint8_t { answered, refused, out_of_memory };
constexpr std::size_t longest_reason = 300;

bool send(int fd, const void* data, std::size_t size) {
  return write_all(fd, {static_cast<const std::byte*>(data), size});
}

[[noreturn]] void answer_with(const std::function<std::vector<std::uint8_t>()>& work, int fd) {
  bool sent = false;
  std::uint8_t verdict = answered;
  try {
    const std::vector<std::uint8_t> bytes = work();
    sent = send(fd, &verdict, 1) && send(fd, bytes.data(), bytes.size());
  } catch (const std::bad_alloc&) {
    verdict = out_of_memory;
    sent = send(fd, &verdict, 1);
  } catch (const std::exception& error) {
    verdict = refused;
    const char* reason = error.what();
    sent = send(fd, &verdict, 1) && send(fd, reason, std::min(std::strlen(reason), longest_reason));
  } catch (...) {
    verdict = refused;
    sent = send(fd, &verdict, 1);
  }
  _exit(sent ? 0 : 1);
}

[[noreturn]] void refuse_late(int seconds) {
  throw Error(ErrorKind::time_limit,
              "reading took longer than " + std::to_string(seconds) + " s and was stopped");
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
  ChildLimits with_verdict = limits;
  ++with_verdict.answer_bytes;
  auto [bytes, end, status] =
      IsolatedChild([&](int fd) { answer_with(work, fd); }, with_verdict).wait();
  if (end == ChildAnswer::End::too_late) refuse_late(limits.wall_seconds);
  if (end == ChildAnswer::End::too_long)
    throw Error(ErrorKind::resource,
                "holds more than the " + mebibytes(limits.answer_bytes) + " that we take");
  check_status(status, limits);

  if (bytes.empty()) throw Error(ErrorKind::input, "the reader gave no answer");
  const std::uint8_t verdict = bytes.front();
  bytes.erase(bytes.begin());
  if (verdict == answered) return bytes;
  if (verdict == out_of_memory)
    throw Error(ErrorKind::resource, "reading needs more than the " +
                                         mebibytes(limits.memory_bytes) +
                                         " of memory that it may take");
  bytes.resize(std::min(bytes.size(), longest_reason));
  const std::string reason = one_line(std::string(bytes.begin(), bytes.end()));
  throw Error(ErrorKind::input, reason.empty() ? "cannot be read" : reason);
}

}  // namespace gvbind
