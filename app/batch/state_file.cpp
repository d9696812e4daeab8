#include "batch/state_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string>
#include <system_error>
#include <thread>

#include "common/content_hash.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "platform/system.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t hash_digits = 16;
/// No state is that large, and another program may have put an endless file in its place.
constexpr off_t max_state_bytes = off_t{256} << 20;

[[noreturn]] void fail(const fs::path& path, int error, const char* what = "cannot be written") {
  throw Error(ErrorKind::output,
              path.string() + ": " + what + ": " + std::generic_category().message(error));
}

/// Long enough that no file has that name by chance, and short for any name.
std::string temporary_name(const fs::path& path) {
  return hash_of(path.filename().string()).substr(0, hash_digits) + ".new";
}

OpenFile open_directory(const fs::path& path) {
  return OpenFile(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

void check_directory(const fs::path& directory) {
  struct stat status {};
  if (lstat(directory.c_str(), &status) != 0) return;
  if (S_ISLNK(status.st_mode))
    throw Error(ErrorKind::output, directory.string() +
                                       ": is a symbolic link; gvbind keeps its state in a folder "
                                       "of its own: remove the link");
  if (!S_ISDIR(status.st_mode))
    throw Error(ErrorKind::output,
                directory.string() + ": is not a folder, and gvbind keeps its state there");
}

using Clock = std::chrono::steady_clock;

/// No file is that long, nor has it to be.
off_t lock_offset(const fs::path& output) {
  const std::string hash = hash_of(output.filename().string()).substr(0, 15);
  return static_cast<off_t>(std::stoull(hash, nullptr, 16));
}

}  // namespace

fs::path state_path(const fs::path& output, const char* extension) {
  return output.parent_path() / ".gvbind" / fitting_name(output.filename().string(), extension);
}

OpenFile open_state_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) errno = error.value();
  return error ? OpenFile() : open_directory(directory);
}

std::optional<std::string> read_state_file(const fs::path& path) {
  const auto fail_to_read = [&](int error) {
    check_state_file(path);  // names the other kind of file
    fail(path, error, "cannot be read");
  };
  const OpenFile directory = open_directory(path.parent_path());
  if (directory.get() < 0 && errno == ENOENT) return std::nullopt;
  if (directory.get() < 0) fail_to_read(errno);
  const OpenFile file(openat(directory.get(), path.filename().c_str(),
                             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return std::nullopt;
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) fail_to_read(errno);
  if (!S_ISREG(status.st_mode)) fail_to_read(EINVAL);
  if (status.st_size > max_state_bytes) fail_to_read(EFBIG);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_to_read(errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

void write_state_file(const fs::path& path, const std::string& bytes, Durability durability) {
  check_state_file(path);
  const OpenFile directory = open_state_directory(path.parent_path());
  if (directory.get() < 0) fail(path, errno);
  const std::string temporary = temporary_name(path);
  unlinkat(directory.get(), temporary.c_str(), 0);
  OpenFile file(openat(directory.get(), temporary.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) fail(path, errno);
  const bool written =
      write_all(file.get(), std::as_bytes(std::span(bytes))) &&
      (durability == Durability::cached || fsync(file.get()) == 0) && file.closes() &&
      renameat(directory.get(), temporary.c_str(), directory.get(), path.filename().c_str()) == 0;
  if (written) return;
  const int why = errno;
  unlinkat(directory.get(), temporary.c_str(), 0);
  fail(path, why);
}

void remove_unfinished(const fs::path& path) {
  const OpenFile directory = open_directory(path.parent_path());
  if (directory.get() >= 0) unlinkat(directory.get(), temporary_name(path).c_str(), 0);
}

void check_state_file(const fs::path& path) {
  check_directory(path.parent_path());
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw Error(ErrorKind::output,
                path.string() + ": is not a file, and gvbind keeps its state there: remove it");
}

AssetLock::AssetLock(const fs::path& output, std::chrono::milliseconds patience) {
  const fs::path path = lock_path(output);
  const OpenFile directory = open_state_directory(path.parent_path());
  if (directory.get() < 0) return;  // writing the output will report why
  file_ = OpenFile(openat(directory.get(), path.filename().c_str(),
                          O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (file_.get() < 0) return;  // as well
  const auto end = Clock::now() + patience;
  for (;;) {
    const int error = platform::lock_byte(file_.get(), lock_offset(output));
    held_ = error != EAGAIN && error != EACCES && error != EINTR;
    if (held_ || Clock::now() >= end) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

fs::path lock_path(const fs::path& output) { return output.parent_path() / ".gvbind" / "lock"; }

}  // namespace gvbind
