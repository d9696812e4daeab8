#pragma once

// Tested by tests/command/certificate_test.py.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace gvbind {

/// SHA-256 as 64 hexadecimal digits, for files that others check with tools of their own.
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
