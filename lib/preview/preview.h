#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "assets/scene.h"

namespace gvbind {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top
};

struct PreviewOptions {
  int width = 1200;          ///< pixels
  double bend_degrees = 40;  ///< how far the joints of the bent poses turn
};

/// A sheet of a skinned scene: front, side and back with the weights in colors by joint and the
/// joints drawn, and two bent poses by linear blend skinning. Software rasterizer, anti-aliased,
/// the same pixels everywhere.
Image render_sheet(const Scene& scene, const PreviewOptions& options = {});

struct CardOptions {
  int width = 480;           ///< pixels, 64 to 8192; the height is three quarters of it
  double bend_degrees = 40;  ///< how far the joints of the bent pose turn
};

/// A small picture of a skinned scene: its weights in colors by joint on the left, one bent pose on
/// the right. By the renderer of the sheet.
Image render_card(const Scene& scene, const CardOptions& options = {});

/// The bytes of a PNG file. Throws Error(output) for an image without pixels.
std::string png_bytes(const Image& image);

/// Whole or not at all. Throws Error(output).
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace gvbind
