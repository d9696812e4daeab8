#include "formats/image/picture.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "gvbind/error.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_MAX_DIMENSIONS 16384
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_TGA
#define STBI_ONLY_BMP
#define STBI_ONLY_PSD
#define STBI_NO_STDIO
#define STBI_NO_FAILURE_STRINGS
#include <stb/stb_image.h>

namespace gvbind {

namespace {

constexpr int channels = 4;
constexpr std::size_t max_pixels = std::size_t{1} << 26;

}  // namespace

std::string picture_type(std::span<const std::uint8_t> bytes) {
  constexpr std::array<std::uint8_t, 8> png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  constexpr std::array<std::uint8_t, 3> jpeg = {0xff, 0xd8, 0xff};
  const auto starts = [&](const auto& magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
  };
  return starts(png) ? "image/png" : starts(jpeg) ? "image/jpeg" : "";
}

std::optional<Picture> decode_picture(std::span<const std::uint8_t> bytes) {
  if (bytes.empty() || bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return std::nullopt;
  const int size = static_cast<int>(bytes.size());
  Picture picture;
  int given = 0;
  // Check the claimed size before memory is allocated for it.
  if (!stbi_info_from_memory(bytes.data(), size, &picture.width, &picture.height, &given) ||
      picture.width <= 0 || picture.height <= 0 ||
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) >
          max_pixels)
    return std::nullopt;
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
      stbi_load_from_memory(bytes.data(), size, &picture.width, &picture.height, &given, channels),
      &stbi_image_free);
  if (!pixels) return std::nullopt;
  const auto count =
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
  picture.rgba.assign(pixels.get(), pixels.get() + channels * count);
  return picture;
}

std::vector<std::uint8_t> encode_png(const Picture& picture) {
  bool opaque = true;
  for (std::size_t i = 3; i < picture.rgba.size(); i += channels)
    opaque = opaque && picture.rgba[i] == 255;
  std::vector<std::uint8_t> rgb;
  if (opaque)
    for (std::size_t i = 0; i + 3 < picture.rgba.size(); i += channels)
      rgb.insert(rgb.end(), &picture.rgba[i], &picture.rgba[i] + 3);
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(picture.width);
  png.height = static_cast<png_uint_32>(picture.height);
  png.format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  const std::uint8_t* const pixels = opaque ? rgb.data() : picture.rgba.data();
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<std::uint8_t> bytes(size);
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, pixels, 0, nullptr))
    throw Error(ErrorKind::resource, std::string("a texture cannot become a PNG: ") + png.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace gvbind
