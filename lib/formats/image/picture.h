#pragma once

// Tested by tests/command/convert_test.py.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gvbind {

/// Pixels of a texture, rows from the top: red, green, blue and alpha as in the file.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// "image/png" or "image/jpeg" by the first bytes; empty for other formats.
std::string picture_type(std::span<const std::uint8_t> bytes);

/// Decodes PNG, JPEG, TGA, BMP or PSD, by content. Empty for other formats, damaged files, and
/// pictures of more than 16384 pixels along a side or 2^26 in total. Missing pixels of a truncated
/// TGA are black, since the format has neither a checksum nor an end mark.
std::optional<Picture> decode_picture(std::span<const std::uint8_t> bytes);

/// A PNG, without alpha if every pixel is opaque. Throws Error(resource).
std::vector<std::uint8_t> encode_png(const Picture& picture);

}  // namespace gvbind
