#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace gvbind {

/// What a file holds, for comparing it with what it held before.
struct FileContent {
  std::uintmax_t size = 0;
  std::string hash;  ///< XXH3-128, 32 hexadecimal digits

  bool operator==(const FileContent&) const = default;
};

/// None where there is no regular file that can be read. Time stamps play no part.
std::optional<FileContent> read_content(const std::filesystem::path& path);

/// Whether the file holds just that; one of another size is not read.
bool has_content(const std::filesystem::path& path, const FileContent& content);

/// What a file of these bytes holds.
FileContent content_of(std::span<const std::uint8_t> bytes);

/// The hash of a text, as for a file.
std::string hash_of(const std::string& text);

}  // namespace gvbind
