// Tested by tests/unit/preview/sheet_test.cpp.

#include <png.h>

#include <cstring>

#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "preview/preview.h"

namespace gvbind::preview {

namespace {

/// Throws Error(output), starting with `name`, if libpng would read past the image.
png_image checked(const Image& image, const std::string& name) {
  const auto bytes = static_cast<std::size_t>(image.width) * 3 * image.height;
  if (image.width <= 0 || image.height <= 0 || image.rgb.size() != bytes)
    throw Error(ErrorKind::output, name + ": picture cannot be written: it has no pixels");
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  return png;
}

}  // namespace

std::string png_bytes(const Image& image) {
  png_image png = checked(image, "PNG");
  const auto fail = [&] {
    throw Error(ErrorKind::output, std::string("PNG: picture cannot be written: ") + png.message);
  };
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), image.width * 3,
                                 nullptr))
    fail();
  bytes.resize(size);
  return bytes;
}

void write_png(const Image& image, const std::filesystem::path& path) {
  checked(image, path_text(path));
  const std::string bytes = png_bytes(image);
  write_files({{"", {bytes.begin(), bytes.end()}}}, path, {.overwrite = true});
}

}  // namespace gvbind::preview
