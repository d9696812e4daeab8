// Tested by tests/package/windows_test.py.

#include "platform/files.h"

#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <map>
#include <mutex>
#include <random>

#include "platform/system.h"
#include "platform/windows_error.h"

namespace gvbind::platform {

namespace {

// Other processes may rename and remove a file that is open here, as with POSIX.
constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE handle_of(int fd) { return reinterpret_cast<HANDLE>(_get_osfhandle(fd)); }

/// -1 and errno where the handle is none.
int descriptor_of(HANDLE handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE) {
    errno = errno_of(GetLastError());
    return -1;
  }
  const int fd = _open_osfhandle(reinterpret_cast<intptr_t>(handle), flags | _O_NOINHERIT);
  if (fd < 0) CloseHandle(handle);
  return fd;
}

timespec time_of(const FILETIME& time) {
  constexpr std::uint64_t ticks_per_second = 10'000'000, seconds_to_1970 = 11'644'473'600;
  const std::uint64_t ticks = std::uint64_t{time.dwHighDateTime} << 32U | time.dwLowDateTime;
  timespec moment{};
  moment.tv_sec = static_cast<time_t>(ticks / ticks_per_second - seconds_to_1970);
  moment.tv_nsec = static_cast<long>(ticks % ticks_per_second * 100);
  return moment;
}

std::optional<FileStatus> status_from(HANDLE handle) {
  BY_HANDLE_FILE_INFORMATION found{};
  if (!GetFileInformationByHandle(handle, &found)) {
    errno = errno_of(GetLastError());
    return std::nullopt;
  }
  FileStatus status;
  const DWORD attributes = found.dwFileAttributes;
  status.kind = (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 ? FileStatus::Kind::link
                : (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0   ? FileStatus::Kind::folder
                : GetFileType(handle) == FILE_TYPE_DISK          ? FileStatus::Kind::file
                                                                 : FileStatus::Kind::other;
  status.size = std::uint64_t{found.nFileSizeHigh} << 32U | found.nFileSizeLow;
  status.device = found.dwVolumeSerialNumber;
  status.number = std::uint64_t{found.nFileIndexHigh} << 32U | found.nFileIndexLow;
  status.written = status.changed = time_of(found.ftLastWriteTime);
  status.permissions = (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? 0444U : 0666U;
  return status;
}

std::optional<FileStatus> status_at(const std::filesystem::path& path, DWORD flags) {
  const HANDLE handle = CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES, share_all, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    errno = errno_of(GetLastError());
    return std::nullopt;
  }
  const std::optional<FileStatus> status = status_from(handle);
  CloseHandle(handle);
  return status;
}

HANDLE create(const std::filesystem::path& path, DWORD access, DWORD how, DWORD flags = 0) {
  return CreateFileW(path.c_str(), access, share_all, nullptr, how, FILE_ATTRIBUTE_NORMAL | flags,
                     nullptr);
}

std::filesystem::path path_of(int folder) {
  std::wstring path(32768, L'\0');
  const DWORD size =
      GetFinalPathNameByHandleW(handle_of(folder), path.data(), static_cast<DWORD>(path.size()), 0);
  path.resize(size);
  return path;
}

/// Windows locks files alone. A name that exists as long as a handle to it stands for the lock of a
/// folder: among the processes of one machine.
struct FolderLocks {
  std::mutex access;
  std::map<int, HANDLE> of_folders;  ///< by descriptor
};

FolderLocks& folder_locks() {
  static FolderLocks locks;
  return locks;
}

std::wstring wide(const char* path) noexcept { return std::filesystem::path(path).wstring(); }

}  // namespace

const bool removes_open_folders = false;

std::optional<FileStatus> status_of(const std::filesystem::path& path) {
  return status_at(path, 0);
}

std::optional<FileStatus> status_of(int fd) { return status_from(handle_of(fd)); }

std::optional<FileStatus> status_of_link(const std::filesystem::path& path) {
  return status_at(path, FILE_FLAG_OPEN_REPARSE_POINT);
}

int open_file(const std::filesystem::path& path, OpenFor what, unsigned) {
  switch (what) {
    case OpenFor::reading:
      return descriptor_of(create(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS),
                           _O_RDONLY);
    case OpenFor::creating:
      return descriptor_of(create(path, GENERIC_WRITE | GENERIC_READ, CREATE_NEW), 0);
    case OpenFor::rewriting:
      return descriptor_of(create(path, GENERIC_WRITE, CREATE_ALWAYS), _O_APPEND);
    default:
      return descriptor_of(create(path, FILE_APPEND_DATA, OPEN_ALWAYS), _O_APPEND);
  }
}

int open_folder(const std::filesystem::path& path) {
  const int fd = descriptor_of(create(path, GENERIC_READ, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT),
                               _O_RDONLY);
  const std::optional<FileStatus> status = fd < 0 ? std::nullopt : status_of(fd);
  if (!status || status->kind == FileStatus::Kind::folder) return fd;
  _close(fd);
  errno = ENOTDIR;
  return -1;
}

int open_inside(int folder, const std::filesystem::path& name, OpenInside how) {
  const std::filesystem::path path = path_of(folder) / name;
  switch (how) {
    case OpenInside::to_read:
      return descriptor_of(create(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT),
                           _O_RDONLY);
    case OpenInside::to_create:
      return descriptor_of(create(path, GENERIC_WRITE | GENERIC_READ, CREATE_NEW), 0);
    default:
      return descriptor_of(
          create(path, GENERIC_WRITE | GENERIC_READ, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT),
          _O_RDWR);
  }
}

int remove_inside(int folder, const std::filesystem::path& name) {
  return errno_unless(DeleteFileW((path_of(folder) / name).c_str()));
}

int rename_inside(int folder, const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::filesystem::path parent = path_of(folder);
  return errno_unless(
      MoveFileExW((parent / from).c_str(), (parent / to).c_str(), MOVEFILE_REPLACE_EXISTING));
}

std::ptrdiff_t read_some(int fd, void* data, std::size_t size) {
  return _read(fd, data, static_cast<unsigned>(std::min<std::size_t>(size, INT_MAX)));
}

std::ptrdiff_t write_some(int fd, const void* data, std::size_t size) {
  // A pipe takes no larger piece.
  constexpr std::size_t max_piece = std::size_t{1} << 20;
  return _write(fd, data, static_cast<unsigned>(std::min(size, max_piece)));
}

int lock_folder(int fd) {
  const std::optional<FileStatus> status = status_of(fd);
  if (!status) return errno;
  const std::wstring name = L"Global\\gvbind-folder-" + std::to_wstring(status->device) + L"-" +
                            std::to_wstring(status->number);
  const HANDLE lock = CreateMutexW(nullptr, FALSE, name.c_str());
  const DWORD code = GetLastError();
  if (!lock) return code == ERROR_ACCESS_DENIED ? EWOULDBLOCK : errno_of(code);
  if (code == ERROR_ALREADY_EXISTS) {
    CloseHandle(lock);
    return EWOULDBLOCK;
  }
  FolderLocks& locks = folder_locks();
  const std::lock_guard guard(locks.access);
  locks.of_folders[fd] = lock;
  return 0;
}

int close_file(int fd) {
  FolderLocks& locks = folder_locks();
  {
    const std::lock_guard guard(locks.access);
    if (const auto lock = locks.of_folders.find(fd); lock != locks.of_folders.end()) {
      CloseHandle(lock->second);
      locks.of_folders.erase(lock);
    }
  }
  return _close(fd) == 0 ? 0 : errno;
}

int sync_file(int fd) { return errno_unless(FlushFileBuffers(handle_of(fd))); }

void sync_folder(const std::filesystem::path&) {}

int set_permissions(int, unsigned) { return 0; }

int make_folder(const std::filesystem::path& path, unsigned) {
  return errno_unless(CreateDirectoryW(path.c_str(), nullptr));
}

int make_temporary_folder(const std::filesystem::path& parent, std::filesystem::path& made) {
  std::random_device source;
  for (int i = 0; i < 100; ++i) {
    made = parent / ("gvbind-" + std::to_string(source()));
    const int error = make_folder(made, 0700);
    if (error != EEXIST) return error;
  }
  return EEXIST;
}

int link_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  return errno_unless(CreateHardLinkW(to.c_str(), from.c_str(), nullptr));
}

void remove_file(const char* path) noexcept { DeleteFileW(wide(path).c_str()); }

void remove_folder(const char* path) noexcept { RemoveDirectoryW(wide(path).c_str()); }

int check_writable(const std::filesystem::path& folder) {
  // Access lists tell less than an attempt does.
  const HANDLE handle = create(folder, FILE_ADD_FILE, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  const int error = errno_unless(handle != INVALID_HANDLE_VALUE);
  if (error == 0) CloseHandle(handle);
  return error;
}

}  // namespace gvbind::platform
