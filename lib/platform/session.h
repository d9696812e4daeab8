#pragma once

// Tested by tests/command/cli_test.py and tests/package/windows_test.py.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gvbind::platform {

// The streams, signals, memory and clock of this process: session_posix.cpp, for Linux too, and
// session_windows.cpp. Functions that return int return 0 or errno.

/// Call first. Keeps files that are opened later from taking the numbers of standard streams that
/// the caller has closed, where text meant for a stream would end up in them: writing to such a
/// stream fails. Windows: streams and files hold bytes as they are written.
void prepare_streams();

/// The arguments in UTF-8.
std::vector<std::string> arguments(int argc, char** argv);

/// Flushes the stream and closes a copy: some network disks report only then that they are full.
/// 0 or errno; EIO where the system gives no reason.
int settle_stream(std::FILE* stream);

bool is_terminal(std::FILE* stream);

/// Whether it is a terminal that follows escape sequences.
bool takes_escapes(std::FILE* stream);

/// 0: unknown.
std::size_t terminal_columns(std::FILE* stream);

using SignalHandler = void (*)(int signal);

/// Its number, where the system has no such signal, too.
constexpr int hangup_signal = 1;

/// For signals that end a process. Those that the caller ignores (nohup) stay ignored, and a file
/// that would grow beyond its limit is a failed write like any other.
void handle_ending_signals(SignalHandler handler);

/// While one lives, the handler gets SIGINT, SIGTERM and SIGHUP, unless the caller ignores them.
class StopHandlers {
 public:
  explicit StopHandlers(SignalHandler handler);
  StopHandlers(const StopHandlers&) = delete;
  StopHandlers& operator=(const StopHandlers&) = delete;
  ~StopHandlers();

 private:
  struct State;
  std::unique_ptr<State> before_;
};

/// Leaves signals that end a process to the other threads.
void block_ending_signals();

// Where another thread takes the signals and ends this one, as in Node, it has to know what to
// remove and when to wait. Elsewhere a handler of our own knows, and these do nothing.

/// From now on these are to be removed if the program is ended: files, then folders.
void tell_staged(const void* owner, const std::vector<std::string>& files,
                 const std::vector<std::string>& folders);
void tell_unstaged(const void* owner);

/// While it commits, the program must not be ended. Does not return if it is being ended already.
void tell_committing(bool committing);

struct SystemMemory {
  std::uint64_t total = 0, free = 0;  ///< bytes
};
SystemMemory system_memory();

/// Memory that this process may allocate from now on. Windows: no limit.
void limit_allocations(std::uint64_t bytes);

/// By the clock that file systems stamp with.
timespec now_of_files();

/// Opens the file with the desktop's default program for it. `program` receives the name of the
/// launcher.
int open_on_desktop(const std::filesystem::path& file, std::string& program);

}  // namespace gvbind::platform
