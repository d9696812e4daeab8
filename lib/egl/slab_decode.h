#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "egl/slab_plan.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind::egl {

/// 128 slices of one pixel, lowest slice in bit 0 of the first word.
using SliceBits = std::array<std::uint64_t, 2>;

/// ORs a group of slices (a tile's pixels, row by row) into the grid.
void decode_group(const SlabPlan& plan, const PixelRect& tile, int group,
                  std::span<const SliceBits> pixels, BitGrid& grid);

/// Extends the lowest and highest slices drawn to the sides of the cube, where no faces are.
void extend_slices(const SlabPlan& plan, BitGrid& grid);

}  // namespace gvbind::egl
