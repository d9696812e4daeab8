#include "common/content_hash.h"

#include <xxhash.h>

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include "io/file_io.h"
#include "platform/files.h"

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

std::optional<FileContent> hash_open(int fd) {
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  XXH3_128bits_reset(state.get());
  FileContent content;
  // One buffer per thread: a batch has many files, and most are small.
  thread_local std::vector<char> chunk(chunk_size);
  for (;;) {
    const std::ptrdiff_t size = platform::read_some(fd, chunk.data(), chunk.size());
    if (size < 0) return std::nullopt;
    if (size == 0) break;
    XXH3_128bits_update(state.get(), chunk.data(), static_cast<std::size_t>(size));
    content.size += static_cast<std::uintmax_t>(size);
  }
  content.hash = digits(XXH3_128bits_digest(state.get()));
  return content;
}

}  // namespace

std::optional<FileContent> read_content(const std::filesystem::path& path) {
  const OpenFile file = open_regular(path);
  if (file.get() < 0) return std::nullopt;
  return hash_open(file.get());
}

bool has_content(const std::filesystem::path& path, const FileContent& content) {
  const OpenFile file = open_regular(path);
  if (file.get() < 0) return false;
  const auto status = platform::status_of(file.get());
  return status && status->size == content.size && hash_open(file.get()) == content;
}

FileContent content_of(std::span<const std::uint8_t> bytes) {
  return {bytes.size(), digits(XXH3_128bits(bytes.data(), bytes.size()))};
}

std::string hash_of(const std::string& text) {
  return digits(XXH3_128bits(text.data(), text.size()));
}

}  // namespace gvbind
