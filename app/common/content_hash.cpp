#include "common/content_hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <vector>

#include "io/file_io.h"

namespace gvbind {

namespace {

constexpr std::size_t chunk_size = 256 << 10;

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

std::string digits(XXH128_hash_t hash) {
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

std::optional<std::uintmax_t> size_of_open(int fd) {
  struct stat status {};
  if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uintmax_t>(status.st_size);
}

std::optional<FileContent> hash_open(int fd) {
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  XXH3_128bits_reset(state.get());
  FileContent content;
  // One buffer per thread: a batch has many files, and most are small.
  thread_local std::vector<char> chunk(chunk_size);
  for (;;) {
    const ssize_t size = read(fd, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return std::nullopt;
    if (size == 0) break;
    XXH3_128bits_update(state.get(), chunk.data(), static_cast<std::size_t>(size));
    content.size += static_cast<std::uintmax_t>(size);
  }
  content.hash = digits(XXH3_128bits_digest(state.get()));
  return content;
}

/// Opening a pipe must not block until it has a writer.
OpenFile open_for_reading(const std::filesystem::path& path) {
  return OpenFile(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

}  // namespace

std::optional<FileContent> read_content(const std::filesystem::path& path) {
  const OpenFile file = open_for_reading(path);
  if (!size_of_open(file.get())) return std::nullopt;
  return hash_open(file.get());
}

bool has_content(const std::filesystem::path& path, const FileContent& content) {
  const OpenFile file = open_for_reading(path);
  return size_of_open(file.get()) == content.size && hash_open(file.get()) == content;
}

FileContent content_of(std::span<const std::uint8_t> bytes) {
  return {bytes.size(), digits(XXH3_128bits(bytes.data(), bytes.size()))};
}

std::string hash_of(const std::string& text) {
  return digits(XXH3_128bits(text.data(), text.size()));
}

}  // namespace gvbind
