#include "batch/state_file.h"

#include <cerrno>
#include <span>
#include <string>
#include <system_error>
#include <thread>

#include "common/content_hash.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "platform/files.h"
#include "platform/system.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using platform::OpenInside;
using FileKind = platform::FileStatus::Kind;

constexpr std::size_t hash_digits = 16;
/// No state is that large, and another program may have put an endless file in its place.
constexpr std::uint64_t max_state_bytes = std::uint64_t{256} << 20;

[[noreturn]] void fail(const fs::path& path, int error, const char* what = "cannot be written") {
  throw Error(ErrorKind::output,
              path_text(path) + ": " + what + ": " + std::generic_category().message(error));
}

/// Long enough that no file has that name by chance, and short for any name.
std::string temporary_name(const fs::path& path) {
  return hash_of(path_text(path.filename())).substr(0, hash_digits) + ".new";
}

OpenFile open_directory(const fs::path& path) { return OpenFile(platform::open_folder(path)); }

void check_directory(const fs::path& directory) {
  const auto status = platform::status_of_link(directory);
  if (!status) return;
  if (status->kind == FileKind::link)
    throw Error(ErrorKind::output, path_text(directory) +
                                       ": is a symbolic link; gvbind keeps its state in a folder "
                                       "of its own: remove the link");
  if (status->kind != FileKind::folder)
    throw Error(ErrorKind::output,
                path_text(directory) + ": is not a folder, and gvbind keeps its state there");
}

using Clock = std::chrono::steady_clock;

/// No file is that long, nor has it to be.
std::uint64_t lock_offset(const fs::path& output) {
  const std::string hash = hash_of(path_text(output.filename())).substr(0, 15);
  return std::stoull(hash, nullptr, 16);
}

}  // namespace

fs::path state_path(const fs::path& output, const char* extension) {
  return output.parent_path() / ".gvbind" / fitting_name(path_text(output.filename()), extension);
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
  const OpenFile file(platform::open_inside(directory.get(), path.filename(), OpenInside::to_read));
  if (file.get() < 0 && errno == ENOENT) return std::nullopt;
  if (file.get() < 0) fail_to_read(errno);
  const auto status = platform::status_of(file.get());
  if (!status) fail_to_read(errno);
  if (status->kind != FileKind::file) fail_to_read(EINVAL);
  if (status->size > max_state_bytes) fail_to_read(EFBIG);
  std::string bytes(static_cast<std::size_t>(status->size), '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const std::ptrdiff_t got =
        platform::read_some(file.get(), bytes.data() + size, bytes.size() - size);
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
  platform::remove_inside(directory.get(), temporary);
  OpenFile file(platform::open_inside(directory.get(), temporary, OpenInside::to_create));
  if (file.get() < 0) fail(path, errno);
  int why = write_all(file.get(), std::as_bytes(std::span(bytes))) ? 0 : errno;
  if (why == 0 && durability == Durability::synced) why = platform::sync_file(file.get());
  if (why == 0 && !file.closes()) why = errno;
  if (why == 0) why = platform::rename_inside(directory.get(), temporary, path.filename());
  if (why == 0) return;
  platform::remove_inside(directory.get(), temporary);
  fail(path, why);
}

void remove_unfinished(const fs::path& path) {
  const OpenFile directory = open_directory(path.parent_path());
  if (directory.get() >= 0) platform::remove_inside(directory.get(), temporary_name(path));
}

void check_state_file(const fs::path& path) {
  check_directory(path.parent_path());
  const auto status = platform::status_of_link(path);
  if (status && status->kind != FileKind::file)
    throw Error(ErrorKind::output,
                path_text(path) + ": is not a file, and gvbind keeps its state there: remove it");
}

AssetLock::AssetLock(const fs::path& output, std::chrono::milliseconds patience) {
  const fs::path path = lock_path(output);
  const OpenFile directory = open_state_directory(path.parent_path());
  if (directory.get() < 0) return;  // writing the output will report why
  file_ = OpenFile(platform::open_inside(directory.get(), path.filename(), OpenInside::to_lock));
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
