#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
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

/// Throws Error(output).
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace gvbind
