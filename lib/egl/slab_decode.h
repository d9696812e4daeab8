#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "egl/slab_plan.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// 128 slices of one pixel, bit 0 of the first word the lowest.
using SliceBits = std::array<std::uint64_t, 2>;

/// Ors a group of slices (a tile's pixels, row by row) into the grid.
void decode_group(const SlabPlan& plan, const PixelRect& tile, int group,
                  std::span<const SliceBits> pixels, BitGrid& grid);

/// Copies the lowest and the highest slice drawn outwards to the cube's sides: no faces lie there.
void extend_slices(const SlabPlan& plan, BitGrid& grid);

}  // namespace gvbind
