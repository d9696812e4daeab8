#include <png.h>

#include <cstring>

#include "gvbind/error.h"
#include "preview/preview.h"

namespace gvbind {

void write_png(const Image& image, const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw Error(ErrorKind::output, path.string() + ": picture cannot be written: " + reason);
  };
  const auto bytes = static_cast<std::size_t>(image.width) * 3 * image.height;
  if (image.width <= 0 || image.height <= 0 || image.rgb.size() != bytes) fail("it has no pixels");
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&png, path.c_str(), 0, image.rgb.data(), image.width * 3, nullptr))
    fail(png.message);
}

}  // namespace gvbind
