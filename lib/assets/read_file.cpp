#include "assets/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "assets/open_file.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr std::size_t least_room = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(ErrorKind::input, what + ": " + std::generic_category().message(error));
}

/// The file behind a descriptor, by a name that no change of links can turn elsewhere.
std::filesystem::path handle_of(const OpenFile& file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}

std::size_t size_of(const OpenFile& file) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0) fail("cannot be read", errno);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::input, "is a folder");
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::input, "is not a regular file");
  return static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  return read_file(path, [](const std::filesystem::path&) {});
}

std::vector<std::uint8_t> read_file(
    const std::filesystem::path& path,
    const std::function<void(const std::filesystem::path& real)>& allowed) {
  // Opening a device can do something already, and opening a pipe waits for its writer.
  const OpenFile found(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (found.get() < 0) fail("cannot be opened", errno);
  const std::filesystem::path handle = handle_of(found);
  std::error_code error;
  const std::filesystem::path real = std::filesystem::read_symlink(handle, error);
  if (error) fail("cannot be found in /proc", error.value());
  allowed(real);
  const std::size_t promised = size_of(found);
  const OpenFile file(open(handle.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("cannot be opened", errno);
  // One byte more than the file says it has, so that its end is met without growing.
  std::vector<std::uint8_t> bytes(promised + 1);
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(std::max(size * 2, least_room));
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace gvbind
