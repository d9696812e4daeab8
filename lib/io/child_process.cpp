#include "io/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "gvbind/error.h"

namespace gvbind {

namespace {

using Clock = std::chrono::steady_clock;

/// Milliseconds until `moment`; 0 if it is past.
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
    const std::ptrdiff_t size = platform::read_within(fd, chunk.data(), chunk.size(), left);
    if (size < 0 && errno == ETIMEDOUT) continue;
    if (size <= 0) return ChildAnswer::End::by_itself;
    if (bytes.size() + static_cast<std::size_t>(size) > max_bytes)
      return ChildAnswer::End::too_long;
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + size);
  }
}

}  // namespace

void refuse_child(const char* what, int error) {
  throw Error(ErrorKind::resource,
              std::string("cannot start ") + what + ": " + std::generic_category().message(error));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(other.id_),
      whole_(other.whole_),
      ended_(std::exchange(other.ended_, true)),
      end_(other.end_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(whole_, other.whole_);
  std::swap(ended_, other.ended_);
  std::swap(end_, other.end_);
  return *this;
}

void ChildProcess::ask_to_end() const {
  if (!ended_) platform::ask_to_end(id_, whole_);
}

void ChildProcess::kill() const {
  if (!ended_) platform::kill_child(id_, whole_);
}

bool ChildProcess::ended() {
  if (!ended_) ended_ = platform::take_end(id_, whole_, end_);
  return ended_;
}

platform::ChildEnd ChildProcess::stop() {
  if (!std::exchange(ended_, true)) end_ = platform::kill_and_wait(id_, whole_);
  return end_;
}

std::uint64_t ChildProcess::resident_bytes() const {
  return ended_ ? 0 : platform::resident_bytes(id_);
}

IsolatedChild::IsolatedChild(const platform::ChildWork& work, const ChildLimits& limits)
    : answer_bytes_(limits.answer_bytes),
      deadline_(Clock::now() + std::chrono::seconds(limits.wall_seconds)) {
  platform::ChildId id = -1;
  int answer = -1;
  if (const int error =
          platform::start_isolated(work, {limits.memory_bytes, limits.cpu_seconds}, id, answer))
    refuse_child("a child process", error);
  process_ = ChildProcess(id, platform::Whole::process);
  answer_ = OpenFile(answer);
}

ChildAnswer IsolatedChild::wait() {
  ChildAnswer answer;
  answer.end = read_answer(answer_.get(), deadline_, answer_bytes_, answer.bytes);
  // It closed its end, so it is exiting; a process that lingers has been tampered with.
  answer.status = process_.stop();
  return answer;
}

}  // namespace gvbind
