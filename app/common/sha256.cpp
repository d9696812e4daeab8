#include "common/sha256.h"

#include <sodium.h>

#include <array>
#include <vector>

#include "io/file_io.h"
#include "platform/files.h"

namespace gvbind {

namespace {

class Sha256 {
 public:
  Sha256() { crypto_hash_sha256_init(&state_); }
  void add(std::span<const std::uint8_t> bytes) {
    crypto_hash_sha256_update(&state_, bytes.data(), bytes.size());
  }
  /// Call it once.
  std::string digits() {
    std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
    crypto_hash_sha256_final(&state_, hash.data());
    std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text{};
    return sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  }

 private:
  crypto_hash_sha256_state state_{};
};

}  // namespace

std::string sha256_of(std::span<const std::uint8_t> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

std::string sha256_of(const std::string& text) {
  return sha256_of(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::optional<FileSha256> sha256_of_file(const std::filesystem::path& path) {
  const OpenFile file = open_regular(path);
  if (file.get() < 0) return std::nullopt;
  Sha256 hash;
  FileSha256 found;
  std::vector<std::uint8_t> chunk(256 << 10);
  for (;;) {
    const std::ptrdiff_t count = platform::read_some(file.get(), chunk.data(), chunk.size());
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    hash.add(std::span(chunk).first(static_cast<std::size_t>(count)));
    found.size += static_cast<std::uintmax_t>(count);
  }
  found.digits = hash.digits();
  return found;
}

}  // namespace gvbind
