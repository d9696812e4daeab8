#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace gvbind {

/// Size and hash of a file's content, to detect changes.
struct FileContent {
  std::uintmax_t size = 0;
  std::string hash;  ///< XXH3-128, 32 hexadecimal digits

  bool operator==(const FileContent&) const = default;
};

/// None if there is no readable regular file. Time stamps are ignored.
std::optional<FileContent> read_content(const std::filesystem::path& path);

/// Whether the file has this content; it is read only if the size matches.
bool has_content(const std::filesystem::path& path, const FileContent& content);

/// The content of a file with these bytes.
FileContent content_of(std::span<const std::uint8_t> bytes);

/// The hash that a file with this text has.
std::string hash_of(const std::string& text);

}  // namespace gvbind
