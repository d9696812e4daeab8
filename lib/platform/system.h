#pragma once

// Tested by tests/unit/platform/system_test.cpp.

#include <sys/stat.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>

namespace gvbind::platform {

// What systems do in ways of their own: system_linux.cpp, and system_posix.cpp with as much of it
// as POSIX offers. Everything else in this tree calls POSIX alone. Functions that return an int
// return 0 or errno.

/// Asks the system to send this process the signal when its parent ends. POSIX: nobody does.
void end_with_parent(int signal);

/// No core dump of this process, by whatever means the system makes them.
void forbid_core_dumps();

/// Closes every descriptor from this one on.
void close_from(int first);

// Descriptors that a program which is started does not inherit.
int open_pipe(std::array<int, 2>& ends);
int open_socket_pair(std::array<int, 2>& ends);

enum class Rename { replace, no_replace, exchange };

/// ENOSYS, EINVAL or ENOTSUP where the system or the file system has no such renaming; POSIX has
/// `replace` alone.
int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, Rename how);

/// Begins to bring what was written to the disk, where that can be asked for without waiting.
void begin_sync(int fd);

/// Opens a file for nothing but looking at it: devices and pipes are not touched. -1 and errno
/// where that fails. POSIX: opened for reading without waiting.
int open_to_look(const std::filesystem::path& path);

/// The same file, opened for reading; -1 and errno where that fails.
int open_to_read(int looked_at);

/// Where the open file lies, without links. `path` is what it was opened by.
int real_path(int fd, const std::filesystem::path& path, std::filesystem::path& real);

/// When a file was last written to.
timespec written_time(const struct stat& status);

/// Locks a byte of an open file, without waiting, until the file is closed. Linux: the lock belongs
/// to the open file; POSIX: to the process, whose own second lock does not fail.
int lock_byte(int fd, off_t offset);

/// Locks an open folder, without waiting, until it is closed; EWOULDBLOCK where another has it.
/// POSIX: ENOTSUP.
int lock_folder(int fd);

/// Writes to a socket; EPIPE instead of a signal where the other end is closed.
int send_quietly(int fd, const void* data, std::size_t size);

struct ProcessMemory {
  std::uint64_t addresses = 0;  ///< bytes reserved, used or not
  std::uint64_t data = 0;       ///< those of them that RLIMIT_DATA counts
  std::uint64_t resident = 0;
};

/// All 0 where the system does not say. POSIX: never says.
ProcessMemory process_memory(pid_t pid);

/// Tells malloc to keep memory that was freed for what comes next, and the system to back it with
/// large pages. To be called before threads start; changes no result.
void keep_freed_memory();

/// Gives freed memory back to the system.
void return_freed_memory();

}  // namespace gvbind::platform
