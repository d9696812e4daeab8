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
  OpenFile from, to;  ///< the ends to read from and to write to, both closed on exec
};

/// Throws Error(resource).
Pipe open_pipe();

/// A process that this one has forked. At the end of this object's life it is gone and reaped.
class ChildProcess {
 public:
  enum class Group { of_parent, own };

  /// One that leads a group of its own is signaled as a group, so that what it started ends too.
  explicit ChildProcess(pid_t pid = -1, Group group = Group::of_parent)
      : pid_(pid), group_(group), ended_(pid <= 0) {}
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { stop(); }

  pid_t id() const { return pid_; }
  void send_signal(int signal) const;  ///< nothing once it has ended
  bool ended();                        ///< without waiting; takes its status
  int stop();  ///< kills it and waits; one that is on its way out keeps the status it leaves with
  int status() const { return status_; }  ///< as waitpid gives it, once it has ended

 private:
  void take_status(int status);

  pid_t pid_;
  Group group_;
  bool ended_;
  int status_ = 0;
};

/// Throws Error(resource); the child gets 0, as from fork(2).
pid_t fork_process(const char* what = "a child process");

struct ChildLimits {
  std::size_t memory_bytes = std::size_t{4} << 30;  ///< address space beyond ours; 0: no bound
  int cpu_seconds = 60;                             ///< 1 or more
  int wall_seconds = 120;                           ///< 1 or more
  std::size_t answer_bytes = std::size_t{2} << 30;  ///< what it may hand back
};

/// What a child has written, as if a stranger had sent it, and how it ended.
struct ChildAnswer {
  enum class End { by_itself, too_late, too_long };
  std::vector<std::uint8_t> bytes;  ///< complete only where it ended by itself
  End end = End::by_itself;
  int status = 0;  ///< as waitpid gives it
};

/// Work in a forked copy of this process, from which nothing comes back but an answer: its standard
/// streams lead nowhere, it has no descriptor of ours, leaves no core and ends with us. Several may
/// run at once.
class IsolatedChild {
 public:
  /// `work` writes its answer to the descriptor. Where it throws, the child aborts. Throws
  /// Error(resource).
  IsolatedChild(const std::function<void(int answer)>& work, const ChildLimits& limits);

  /// Once. Throws Error(resource).
  ChildAnswer wait();

 private:
  std::size_t answer_bytes_;
  std::chrono::steady_clock::time_point deadline_;
  OpenFile answer_;
  ChildProcess process_;
};

}  // namespace gvbind
