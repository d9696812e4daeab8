#pragma once

// Tested by tests/command/certificate_test.py.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace gvbind {

/// SHA-256 by FIPS 180-4, for files that others check with tools of their own.
class Sha256 {
 public:
  void add(std::span<const std::uint8_t> bytes);
  /// 64 hexadecimal digits. Call it once.
  std::string digits();

 private:
  void add_block(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;
};

std::string sha256_of(std::span<const std::uint8_t> bytes);
std::string sha256_of(const std::string& text);

struct FileSha256 {
  std::uintmax_t size = 0;
  std::string digits;

  bool operator==(const FileSha256&) const = default;
};

/// None where there is no readable regular file.
std::optional<FileSha256> sha256_of_file(const std::filesystem::path& path);

}  // namespace gvbind
