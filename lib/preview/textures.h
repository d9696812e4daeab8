#pragma once

// Tested by tests/command/preview_test.py.

#include <cstdint>
#include <vector>

#include "preview/raster.h"
#include "preview/surface.h"

namespace gvbind::preview {

/// An image and its mipmap down to one pixel, averaged in linear light.
using PictureLevels = std::vector<Picture>;

/// A surface prepared for drawing.
struct TextureSet {
  Surface surface;
  std::vector<PictureLevels> levels;  ///< by image of the surface, whose own images are released
};

TextureSet texture_set(Surface surface);

/// Linear RGB and alpha, interpolated in the mipmap level whose pixels are about the size of a
/// sample. `texels`: number of image pixels per sample.
Eigen::Vector4f sample_texture(const PictureLevels& levels, const Texture& texture,
                               const Eigen::Vector2f& uv, float texels);

/// Draws with the base color. Masks hide samples. Blending hides a fraction of a pixel's nine
/// samples according to alpha, so it is independent of the order.
void draw_textured(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c, const SurfaceTriangle& triangle,
                   const TextureSet& textures);

}  // namespace gvbind::preview
