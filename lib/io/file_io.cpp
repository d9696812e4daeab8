#include "io/file_io.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "platform/files.h"
#include "platform/system.h"

namespace gvbind {

namespace {

constexpr std::size_t min_room = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(ErrorKind::input, what + ": " + std::generic_category().message(error));
}

std::size_t size_of(const OpenFile& file) {
  using Kind = platform::FileStatus::Kind;
  const auto status = platform::status_of(file.get());
  if (!status) fail("cannot be read", errno);
  if (status->kind == Kind::folder) throw Error(ErrorKind::input, "is a folder");
  if (status->kind != Kind::file) throw Error(ErrorKind::input, "is not a regular file");
  return static_cast<std::size_t>(status->size);
}

/// Cut to at most `size` bytes at a character boundary of UTF-8.
std::string cut(std::string name, std::size_t size) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (size > 0 && continues(name[size])) --size;
  name.resize(size);
  return name;
}

}  // namespace

bool OpenFile::closes() {
  const int error = fd_ < 0 ? 0 : platform::close_file(std::exchange(fd_, -1));
  if (error != 0) errno = error;
  return error == 0;
}

OpenFile open_regular(const std::filesystem::path& path) {
  OpenFile file(platform::open_file(path, platform::OpenFor::reading));
  const auto status = file.get() < 0 ? std::nullopt : platform::status_of(file.get());
  return status && status->kind == platform::FileStatus::Kind::file ? std::move(file) : OpenFile();
}

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::ptrdiff_t done = platform::write_some(fd, bytes.data(), bytes.size());
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
    const std::ptrdiff_t got =
        platform::read_some(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0) fail("cannot be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

std::string lower_extension(const std::filesystem::path& path) {
  const std::string extension = lower_case(path_text(path.extension()));
  return extension.substr(extension.empty() ? 0 : 1);
}

std::string fitting_name(const std::string& stem, const std::string& ending) {
  if (stem.size() + ending.size() <= platform::max_name_bytes) return stem + ending;
  std::array<char, 20> mark{};
  std::snprintf(mark.data(), mark.size(), "~%016llx",
                static_cast<unsigned long long>(XXH3_64bits(stem.data(), stem.size())));
  const std::string end = mark.data() + ending;
  return cut(stem, platform::max_name_bytes - std::min(end.size(), platform::max_name_bytes)) + end;
}

}  // namespace gvbind
