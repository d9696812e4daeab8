#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "egl/slab_plan.h"

namespace gvbind::egl {

/// Limits of one pass. Larger work is drawn in several passes with the same result.
struct PassLimits {
  /// Width and height of an image in pixels; at least 64.
  int side = std::numeric_limits<int>::max();
  std::size_t pixels = std::size_t{1} << 22;   ///< 84 bytes each: render targets, depth, readback
  std::size_t indices = std::size_t{1} << 26;  ///< 4 bytes each; a single slab may have more
};

/// Rectangles that partition the image.
std::vector<PixelRect> tiles_of(const PixelRect& image, const PassLimits& limits);

struct SlabRange {
  int first = 0, last = -1;  ///< slabs; none if last < first
};

/// Consecutive slabs of a tile, ascending, whose indices fit into one pass.
std::vector<SlabRange> split_slabs(const SlabPlan& plan, const PixelRect& tile,
                                   std::size_t max_indices);

/// The faces of a tile by slab. A face that spans several slabs is in each.
struct SlabIndices {
  SlabRange slabs;
  std::vector<std::uint32_t> indices;  ///< three per triangle
  /// Offsets in `indices` of slab slabs.first + i: at [2i] faces whose normal points along the
  /// axis, at [2i + 1] those against it; plus the end.
  std::vector<std::size_t> seeds;
};

SlabIndices sort_into_slabs(const SlabPlan& plan, const PixelRect& tile, SlabRange slabs);

}  // namespace gvbind::egl
