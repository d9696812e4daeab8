// Tested by tests/unit/platform/system_test.cpp.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "platform/posix_error.h"
#include "platform/system.h"

namespace gvbind::platform {

namespace {

int close_on_exec(const std::array<int, 2>& ends) {
  for (const int fd : ends)
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return errno;
  return 0;
}

}  // namespace

void end_with_parent(int) {}

void forbid_core_dumps() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

void close_from(int first) {
  const long open_max = sysconf(_SC_OPEN_MAX);
  // Without a limit, assume the default number of descriptors.
  const int end = open_max < 0 ? 1024 : static_cast<int>(open_max);
  for (int fd = first; fd < end; ++fd) close(fd);
}

int open_pipe(std::array<int, 2>& ends) {
  return pipe(ends.data()) == 0 ? close_on_exec(ends) : errno;
}

int open_socket_pair(std::array<int, 2>& ends) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return errno;
#ifdef SO_NOSIGPIPE
  const int on = 1;
  for (const int fd : ends) setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return close_on_exec(ends);
}

int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, Rename how) {
  if (how != Rename::replace) return ENOSYS;
  return errno_unless(std::rename(from.c_str(), to.c_str()) == 0);
}

void begin_sync(int) {}

int open_to_look(const std::filesystem::path& path) {
  // Opening a device can have side effects.
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return -1;
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int open_to_read(int looked_at) { return fcntl(looked_at, F_DUPFD_CLOEXEC, 0); }

int real_path(int fd, const std::filesystem::path& path, std::filesystem::path& real) {
  const std::unique_ptr<char, void (*)(void*)> found(realpath(path.c_str(), nullptr), std::free);
  if (!found) return errno;
  real = found.get();
  // Links may have been redirected since.
  struct stat opened {
  }, named{};
  if (fstat(fd, &opened) != 0 || stat(found.get(), &named) != 0) return errno;
  return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino ? 0 : ENOENT;
}

int lock_byte(int fd, std::uint64_t offset) {
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = static_cast<off_t>(offset);
  byte.l_len = 1;
  return errno_unless(fcntl(fd, F_SETLK, &byte) == 0);
}

int lock_folder(int) { return ENOTSUP; }

int send_quietly(int fd, const void* data, std::size_t size) {
#ifdef MSG_NOSIGNAL
  return errno_unless(send(fd, data, size, MSG_NOSIGNAL) >= 0);
#else
  return errno_unless(send(fd, data, size, 0) >= 0);
#endif
}

ProcessMemory process_memory(pid_t) { return {}; }

void keep_freed_memory() {}

void return_freed_memory() {}

}  // namespace gvbind::platform
