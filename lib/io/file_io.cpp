#include "io/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <string>
#include <system_error>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "platform/system.h"

namespace gvbind {

namespace {

constexpr std::size_t min_room = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(ErrorKind::input, what + ": " + std::generic_category().message(error));
}

std::size_t size_of(const OpenFile& file) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0) fail("cannot be read", errno);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::input, "is a folder");
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::input, "is not a regular file");
  return static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
}

/// Cut to at most `size` bytes at a character boundary of UTF-8.
std::string cut(std::string name, std::size_t size) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (size > 0 && continues(name[size])) --size;
  name.resize(size);
  return name;
}

}  // namespace

bool OpenFile::closes() { return fd_ < 0 || close(std::exchange(fd_, -1)) == 0; }

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  return read_file(path, [](const std::filesystem::path&) {});
}

std::vector<std::uint8_t> read_file(
    const std::filesystem::path& path,
    const std::function<void(const std::filesystem::path& real)>& allowed) {
  // Opening a device can have side effects, and opening a pipe waits for its writer.
  const OpenFile found(platform::open_to_look(path));
  if (found.get() < 0) fail("cannot be opened", errno);
  std::filesystem::path real;
  if (const int error = platform::real_path(found.get(), path, real))
    fail("its folder cannot be found", error);
  allowed(real);
  const std::size_t promised = size_of(found);
  const OpenFile file(platform::open_to_read(found.get()));
  if (file.get() < 0) fail("cannot be opened", errno);
  // One byte more than the reported size, so that end of file is detected without growing.
  std::vector<std::uint8_t> bytes(promised + 1);
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(std::max(size * 2, min_room));
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

std::string lower_extension(const std::filesystem::path& path) {
  const std::string extension = lower_case(path.extension().string());
  return extension.substr(extension.empty() ? 0 : 1);
}

std::string fitting_name(const std::string& stem, const std::string& ending) {
  if (stem.size() + ending.size() <= NAME_MAX) return stem + ending;
  std::array<char, 20> mark{};
  std::snprintf(mark.data(), mark.size(), "~%016llx",
                static_cast<unsigned long long>(XXH3_64bits(stem.data(), stem.size())));
  const std::string end = mark.data() + ending;
  return cut(stem, NAME_MAX - std::min<std::size_t>(end.size(), NAME_MAX)) + end;
}

}  // namespace gvbind
