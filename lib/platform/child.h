#pragma once

// Tested by tests/unit/io/child_process_test.cpp.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gvbind::platform {

// Child processes: child_posix.cpp forks; child_windows.cpp starts this program again. Functions
// that return int return 0 or errno.

/// Whether children are copies of this process; they are this program started again otherwise.
extern const bool has_fork;
/// Whether there can be any; WebAssembly has none.
extern const bool starts_children;

/// POSIX: the process; Windows: its handle.
using ChildId = std::intptr_t;

struct ChildEnd {
  int exit_code = 0;  ///< where it exited
  int signal = 0;     ///< that ended it; 0: it exited
};

/// Of a process that has used up its time.
extern const int cpu_limit_signal;
/// As in "SIGSEGV", or "signal 40".
std::string signal_name(int signal);
/// As in "Segmentation fault".
std::string signal_text(int signal);

/// Work of a child, in two forms that do the same.
struct ChildWork {
  /// In a forked copy of this process.
  std::function<void(int answer)> run;
  /// Arguments of this program where there is no fork: see child_arguments().
  std::vector<std::string> words;
};

struct ChildBounds {
  std::size_t memory_bytes = 0;  ///< beyond the memory of this process; 0: no limit
  int cpu_seconds = 0;           ///< 0: no limit
};

/// Starts a process that has nothing but a pipe for its answer, whose other end is `answer`: its
/// standard streams are closed off, it inherits no descriptors, writes no core dump and ends with
/// its parent. Where `run` returns, it exits with 0; where it throws, it aborts.
int start_isolated(const ChildWork& work, const ChildBounds& bounds, ChildId& id, int& answer);

struct WorkerEnds {
  int lines = -1, errors = -1;  ///< from the worker; `errors` is its stderr
  int orders = -1;              ///< to the worker
};

struct WorkerWork {
  /// In a forked copy, with the worker's ends; returns its exit code. Without a fork the program
  /// starts with the arguments of this process and finds its ends by own_worker_ends().
  std::function<int(const WorkerEnds& ends)> run;
  /// On SIGINT, SIGTERM and SIGHUP in the copy.
  void (*on_signal)(int signal) = nullptr;
};

/// Starts a process that leads a group of its own and ends with its parent. `ours` are this side's
/// ends, those from the worker not blocking. Nothing may run in other threads of this process.
int start_worker(const WorkerWork& work, ChildId& id, WorkerEnds& ours);

/// Where this process was started by start_isolated(), the words and the descriptor for its
/// answer; where by start_worker(), the arguments of its parent; empty otherwise, and always where
/// there is a fork. Call once, first.
struct ChildArguments {
  std::vector<std::string> words;
  int answer = -1;
};
ChildArguments child_arguments(int argc, char** argv);

/// Of this process, where start_worker() started it without a fork: `errors` is stderr. After
/// child_arguments().
std::optional<WorkerEnds> own_worker_ends();

enum class Whole { process, group };

/// Asks it to end, by SIGTERM. Windows: ends it, as if it had exited with 128 + SIGTERM.
void ask_to_end(ChildId id, Whole whole);
/// Does not wait for its end.
void kill_child(ChildId id, Whole whole);
/// Without waiting; true once, with its end. Ends the rest of a group.
bool take_end(ChildId id, Whole whole, ChildEnd& end);
/// Kills it and waits for its end.
ChildEnd kill_and_wait(ChildId id, Whole whole);

/// Bytes of its memory that are in use; 0 if the system does not report it.
std::uint64_t resident_bytes(ChildId id);

/// As read_some(), with ETIMEDOUT once the time is over.
std::ptrdiff_t read_within(int fd, void* data, std::size_t size, int milliseconds);
/// As read_some(), with EAGAIN where there is nothing now.
std::ptrdiff_t read_now(int fd, void* data, std::size_t size);
/// Returns when a descriptor has bytes or is at its end, or when the time is over.
void wait_for_any(std::span<const int> fds, int milliseconds);

}  // namespace gvbind::platform
