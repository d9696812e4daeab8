#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/file_io.h"
#include "platform/child.h"

namespace gvbind {

/// A child. The destructor kills and reaps it.
class ChildProcess {
 public:
  ChildProcess() = default;
  /// With Whole::group, signals go to the child's process group, so that its descendants end too.
  ChildProcess(platform::ChildId id, platform::Whole whole)
      : id_(id), whole_(whole), ended_(false) {}
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { stop(); }

  void ask_to_end() const;    ///< no effect after it ended
  void kill() const;          ///< without waiting; no effect after it ended
  bool ended();               ///< without waiting; stores its end
  platform::ChildEnd stop();  ///< kills it and waits; one that is already exiting keeps its status
  platform::ChildEnd end() const { return end_; }  ///< once it has ended
  std::uint64_t resident_bytes() const;            ///< 0 after it ended

 private:
  platform::ChildId id_ = -1;
  platform::Whole whole_ = platform::Whole::process;
  bool ended_ = true;
  platform::ChildEnd end_;
};

/// Throws Error(resource): `what` cannot be started.
[[noreturn]] void refuse_child(const char* what, int error);

struct ChildLimits {
  /// Address space beyond the parent's; 0: no limit.
  std::size_t memory_bytes = std::size_t{4} << 30;
  int cpu_seconds = 60;                             ///< at least 1
  int wall_seconds = 120;                           ///< at least 1
  std::size_t answer_bytes = std::size_t{2} << 30;  ///< maximum length of the answer
};

/// Output of a child, to be treated as untrusted, and its exit status.
struct ChildAnswer {
  enum class End { by_itself, too_late, too_long };
  std::vector<std::uint8_t> bytes;  ///< complete only after a normal exit
  End end = End::by_itself;
  platform::ChildEnd status;
};

/// Runs work in a process that returns nothing but an answer: see platform::start_isolated().
/// Several may run at once.
class IsolatedChild {
 public:
  /// `work` writes its answer to the descriptor. If it throws, the child aborts. Throws
  /// Error(resource).
  IsolatedChild(const platform::ChildWork& work, const ChildLimits& limits);

  /// Call once. Throws Error(resource).
  ChildAnswer wait();

 private:
  std::size_t answer_bytes_;
  std::chrono::steady_clock::time_point deadline_;
  OpenFile answer_;
  ChildProcess process_;
};

}  // namespace gvbind
