#pragma once

// Tested by tests/command/convert_test.py.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gvbind {

/// Pixels of a texture, rows from the top: red, green, blue and alpha as the file has them.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// "image/png" or "image/jpeg" by the first bytes; empty: neither.
std::string picture_type(std::span<const std::uint8_t> bytes);

/// PNG, JPEG, TGA, BMP or PSD, by its content. None for other formats, damaged files, and pictures
/// of more than 16384 pixels along a side or 2^26 in all. What is cut off a TGA, which has neither
/// a checksum nor a mark at its end, is black.
std::optional<Picture> decode_picture(std::span<const std::uint8_t> bytes);

/// A PNG, without alpha where every pixel is opaque. Throws Error(resource).
std::vector<std::uint8_t> encode_png(const Picture& picture);

}  // namespace gvbind
