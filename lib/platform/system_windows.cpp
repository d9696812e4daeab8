// Tested by tests/package/windows_test.py.

#include "platform/system.h"

#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <system_error>

#include "platform/files.h"
#include "platform/windows_error.h"

namespace gvbind::platform {

int errno_of(unsigned long code) {
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
      return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
      return EACCES;
    case ERROR_LOCK_VIOLATION:
      return EAGAIN;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_DIR_NOT_EMPTY:
      return ENOTEMPTY;
    case ERROR_DIRECTORY:
      return ENOTDIR;
    case ERROR_FILENAME_EXCED_RANGE:
      return ENAMETOOLONG;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_INVALID_HANDLE:
      return EBADF;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      return EPIPE;
    case ERROR_NOT_SAME_DEVICE:
      return EXDEV;
    case ERROR_INVALID_FUNCTION:
    case ERROR_NOT_SUPPORTED:
    case ERROR_CALL_NOT_IMPLEMENTED:
      return ENOSYS;
    default:
      return EIO;
  }
}

int errno_unless(bool done) { return done ? 0 : errno_of(GetLastError()); }

int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, Rename how) {
  if (how == Rename::exchange) return ENOSYS;
  const DWORD flags = how == Rename::replace ? MOVEFILE_REPLACE_EXISTING : 0;
  return errno_unless(MoveFileExW(from.c_str(), to.c_str(), flags));
}

void begin_sync(int) {}

int open_to_look(const std::filesystem::path& path) { return open_file(path, OpenFor::reading); }

int open_to_read(int looked_at) { return _dup(looked_at); }

int real_path(int, const std::filesystem::path& path, std::filesystem::path& real) {
  std::error_code error;
  real = std::filesystem::canonical(path, error);
  return error.value();
}

int lock_byte(int fd, std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  const DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  const auto file = reinterpret_cast<HANDLE>(_get_osfhandle(fd));
  if (LockFileEx(file, flags, 0, 1, 0, &place)) return 0;
  const DWORD code = GetLastError();
  return code == ERROR_IO_PENDING ? EAGAIN : errno_of(code);
}

int send_quietly(int fd, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  for (std::size_t sent = 0; sent < size;) {
    const std::ptrdiff_t now = write_some(fd, bytes + sent, size - sent);
    if (now <= 0) return errno;
    sent += static_cast<std::size_t>(now);
  }
  return 0;
}

void keep_freed_memory() {}

void return_freed_memory() {}

}  // namespace gvbind::platform
