#pragma once

// Tested by tests/command/preview_test.py.

#include <cstdint>
#include <vector>

#include "preview/raster.h"
#include "preview/surface.h"

namespace gvbind {

/// A picture and its halves down to a pixel, each the mean of four pixels in linear light.
using PictureLevels = std::vector<Picture>;

/// A surface as it is drawn.
struct TextureSet {
  Surface surface;
  std::vector<PictureLevels> levels;  ///< by picture of the surface, which keeps none itself
};

TextureSet texture_set(Surface surface);

/// Linear RGB and alpha between the pixels of the level whose pixels are about as large as a
/// sample. `texels`: how many of the picture's pixels a sample covers.
Eigen::Vector4f sample_texture(const PictureLevels& levels, const Texture& texture,
                               const Eigen::Vector2f& uv, float texels);

/// White, without a picture.
SurfaceTriangle bare_surface();

/// As its base color has it. A mask hides samples; what is blended hides as many of a pixel's nine
/// samples as its alpha says, so that no order matters.
void draw_textured(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c, const SurfaceTriangle& triangle,
                   const TextureSet& textures);

}  // namespace gvbind
