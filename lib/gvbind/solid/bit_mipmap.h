#pragma once

#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The next coarser level of a mipmap of bits: half the resolution, a cell is set where any of its
/// eight is. The resolution is even.
BitGrid coarser(const BitGrid& fine);

/// Dilation by a cube: sets all cells within Chebyshev distance `reach` of a set one. 0 <= reach <
/// 64; the outside of the grid is empty.
BitGrid dilated(const BitGrid& grid, int reach);

}  // namespace gvbind
