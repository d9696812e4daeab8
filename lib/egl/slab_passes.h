#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "egl/slab_plan.h"

namespace gvbind {

/// What one pass may hold. What is larger is drawn in several, with the same result.
struct PassLimits {
  int side = std::numeric_limits<int>::max();  ///< pixels of an image's side; at least 64
  std::size_t pixels = std::size_t{1} << 22;   ///< 84 bytes each: targets, depth, readback
  std::size_t indices = std::size_t{1} << 26;  ///< 4 bytes each; a single slab may have more
};

/// Rectangles that together cover the image once.
std::vector<PixelRect> tiles_of(const PixelRect& image, const PassLimits& limits);

struct SlabRange {
  int first = 0, last = -1;  ///< slabs; none if last < first
};

/// Consecutive slabs of a tile, ascending, whose indices fit into one pass.
std::vector<SlabRange> split_slabs(const SlabPlan& plan, const PixelRect& tile,
                                   std::size_t max_indices);

/// The faces of a tile by the slabs that they meet: a face that spans several is in each.
struct SlabIndices {
  SlabRange slabs;
  std::vector<std::uint32_t> indices;  ///< three a triangle
  /// Where in `indices` slab slabs.first + i begins: at [2i] the faces whose normal points along
  /// the axis, at [2i + 1] those against it; one more value at the end.
  std::vector<std::size_t> seeds;
};

SlabIndices sort_into_slabs(const SlabPlan& plan, const PixelRect& tile, SlabRange slabs);

}  // namespace gvbind
