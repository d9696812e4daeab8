#pragma once

// Tested by tests/unit/platform/system_test.cpp.

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

namespace gvbind::platform {

// System-dependent functions: system_linux.cpp, system_posix.cpp with fallbacks within POSIX, and
// system_windows.cpp. Functions that return int return 0 or errno.

/// Requests the signal for this process when its parent ends. POSIX: not supported.
void end_with_parent(int signal);

/// Disables core dumps of this process, including those sent to a pipe.
void forbid_core_dumps();

/// Closes every descriptor from this one on.
void close_from(int first);

// Descriptors that are closed on exec.
int open_pipe(std::array<int, 2>& ends);
int open_socket_pair(std::array<int, 2>& ends);

enum class Rename { replace, no_replace, exchange };

/// ENOSYS, EINVAL or ENOTSUP if the system or file system does not support this kind of renaming.
/// POSIX supports `replace` only.
int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, Rename how);

/// Starts writing to disk without waiting, if supported.
void begin_sync(int fd);

/// Opens a file for inspection without side effects on devices and pipes. -1 and errno on failure.
/// POSIX: opens for reading, nonblocking.
int open_to_look(const std::filesystem::path& path);

/// Reopens the same file for reading; -1 and errno on failure.
int open_to_read(int looked_at);

/// Path of an open file with links resolved. `path`: the path it was opened with.
int real_path(int fd, const std::filesystem::path& path, std::filesystem::path& real);

/// Locks a byte of an open file until it is closed, without waiting. Linux: the lock belongs to the
/// open file. POSIX: to the process, so a second lock in the same process succeeds.
int lock_byte(int fd, std::uint64_t offset);

/// Locks an open folder until it is closed, without waiting; EWOULDBLOCK if another process holds
/// the lock. POSIX: ENOTSUP. Windows: holds against processes of this machine alone.
int lock_folder(int fd);

/// Writes to a socket; EPIPE instead of a signal if the other end is closed.
int send_quietly(int fd, const void* data, std::size_t size);

struct ProcessMemory {
  std::uint64_t addresses = 0;  ///< bytes reserved, used or not
  std::uint64_t data = 0;       ///< of these, the bytes that RLIMIT_DATA counts
  std::uint64_t resident = 0;
};

/// All 0 if the system does not report it, as with POSIX.
ProcessMemory process_memory(pid_t pid);

/// Makes malloc keep freed memory for reuse, and the system back it with large pages. Call before
/// threads start. Does not affect results.
void keep_freed_memory();

/// Returns freed memory to the system.
void return_freed_memory();

}  // namespace gvbind::platform
