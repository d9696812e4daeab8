#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "io/file_io.h"

namespace gvbind {

struct Pipe {
  OpenFile from, to;  ///< read and write ends, closed on exec
};

/// Throws Error(resource).
Pipe open_pipe();

/// A forked process. The destructor kills and reaps it.
class ChildProcess {
 public:
  enum class Group { of_parent, own };

  /// With Group::own, signals go to the child's process group, so that its descendants end too.
  explicit ChildProcess(pid_t pid = -1, Group group = Group::of_parent)
      : pid_(pid), group_(group), ended_(pid <= 0) {}
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { stop(); }

  pid_t id() const { return pid_; }
  void send_signal(int signal) const;  ///< no effect after it ended
  bool ended();                        ///< without waiting; stores its status
  int stop();  ///< kills it and waits; a process that is already exiting keeps its status
  int status() const { return status_; }  ///< as from waitpid(), once it has ended

 private:
  void take_status(int status);

  pid_t pid_;
  Group group_;
  bool ended_;
  int status_ = 0;
};

/// Throws Error(resource). Returns 0 in the child, like fork(2).
pid_t fork_process(const char* what = "a child process");

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
  int status = 0;  ///< as from waitpid()
};

/// Runs work in a forked copy of this process that returns nothing but an answer: its standard
/// streams are closed off, it inherits no descriptors, writes no core dump and ends with its
/// parent. Several may run at once.
class IsolatedChild {
 public:
  /// `work` writes its answer to the descriptor. If it throws, the child aborts. Throws
  /// Error(resource).
  IsolatedChild(const std::function<void(int answer)>& work, const ChildLimits& limits);

  /// Call once. Throws Error(resource).
  ChildAnswer wait();

 private:
  std::size_t answer_bytes_;
  std::chrono::steady_clock::time_point deadline_;
  OpenFile answer_;
  ChildProcess process_;
};

}  // namespace gvbind
