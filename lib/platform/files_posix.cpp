// Tested by tests/unit/platform/files_test.cpp.

#include "platform/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/posix_error.h"

namespace gvbind::platform {

namespace {

FileStatus::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileStatus::Kind::file;
  if (S_ISDIR(mode)) return FileStatus::Kind::folder;
  if (S_ISLNK(mode)) return FileStatus::Kind::link;
  return FileStatus::Kind::other;
}

std::optional<FileStatus> status_from(int failed, const struct stat& found) {
  if (failed != 0) return std::nullopt;
  FileStatus status;
  status.kind = kind_of(found.st_mode);
  status.size = found.st_size > 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
  status.device = static_cast<std::uint64_t>(found.st_dev);
  status.number = static_cast<std::uint64_t>(found.st_ino);
#ifdef __APPLE__
  status.written = found.st_mtimespec;
  status.changed = found.st_ctimespec;
#else
  status.written = found.st_mtim;
  status.changed = found.st_ctim;
#endif
  status.permissions = found.st_mode & 0777U;
  return status;
}

int flags_of(OpenFor what) {
  switch (what) {
    case OpenFor::reading:
      return O_RDONLY | O_NONBLOCK;
    case OpenFor::creating:
      return O_WRONLY | O_CREAT | O_EXCL;
    case OpenFor::rewriting:
      return O_WRONLY | O_CREAT | O_APPEND | O_TRUNC;
    default:
      return O_WRONLY | O_CREAT | O_APPEND;
  }
}

int flags_of(OpenInside how) {
  switch (how) {
    case OpenInside::to_read:
      return O_RDONLY | O_NONBLOCK;
    case OpenInside::to_create:
      return O_WRONLY | O_CREAT | O_EXCL;
    default:
      return O_RDWR | O_CREAT | O_NONBLOCK;
  }
}

template <typename Call>
std::ptrdiff_t uninterrupted(const Call& call) {
  for (;;) {
    const ssize_t size = call();
    if (size >= 0 || errno != EINTR) return size;
  }
}

}  // namespace

const bool removes_open_folders = true;

std::optional<FileStatus> status_of(const std::filesystem::path& path) {
  struct stat found {};
  return status_from(stat(path.c_str(), &found), found);
}

std::optional<FileStatus> status_of(int fd) {
  struct stat found {};
  return status_from(fstat(fd, &found), found);
}

std::optional<FileStatus> status_of_link(const std::filesystem::path& path) {
  struct stat found {};
  return status_from(lstat(path.c_str(), &found), found);
}

int open_file(const std::filesystem::path& path, OpenFor what, unsigned permissions) {
  return open(path.c_str(), flags_of(what) | O_CLOEXEC, static_cast<mode_t>(permissions));
}

int open_folder(const std::filesystem::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int open_inside(int folder, const std::filesystem::path& name, OpenInside how) {
  return openat(folder, name.c_str(), flags_of(how) | O_NOFOLLOW | O_CLOEXEC, 0666);
}

int remove_inside(int folder, const std::filesystem::path& name) {
  return errno_unless(unlinkat(folder, name.c_str(), 0) == 0);
}

int rename_inside(int folder, const std::filesystem::path& from, const std::filesystem::path& to) {
  return errno_unless(renameat(folder, from.c_str(), folder, to.c_str()) == 0);
}

std::ptrdiff_t read_some(int fd, void* data, std::size_t size) {
  return uninterrupted([&] { return read(fd, data, size); });
}

std::ptrdiff_t write_some(int fd, const void* data, std::size_t size) {
  return uninterrupted([&] { return write(fd, data, size); });
}

int close_file(int fd) { return errno_unless(close(fd) == 0); }

int sync_file(int fd) { return errno_unless(fsync(fd) == 0); }

void sync_folder(const std::filesystem::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

int set_permissions(int fd, unsigned permissions) {
  return errno_unless(fchmod(fd, static_cast<mode_t>(permissions)) == 0);
}

int make_folder(const std::filesystem::path& path, unsigned permissions) {
  return errno_unless(mkdir(path.c_str(), static_cast<mode_t>(permissions)) == 0);
}

int make_temporary_folder(const std::filesystem::path& parent, std::filesystem::path& made) {
  std::string name = parent / "gvbind-XXXXXX";
  if (!mkdtemp(name.data())) return errno;
  made = name;
  return 0;
}

int link_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  return errno_unless(link(from.c_str(), to.c_str()) == 0);
}

void remove_file(const char* path) noexcept { unlink(path); }

void remove_folder(const char* path) noexcept { rmdir(path); }

int check_writable(const std::filesystem::path& folder) {
  return errno_unless(access(folder.c_str(), W_OK | X_OK) == 0);
}

}  // namespace gvbind::platform
