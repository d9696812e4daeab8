#pragma once

#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The next coarser level of a pyramid of bits: half the resolution, a cell is set where any of its
/// eight is. The resolution is even.
BitGrid coarser(const BitGrid& fine);

/// Sets all cells within `reach` cells (a cube: Chebyshev distance) of a set one. 0 <= reach < 64;
/// nothing comes in from outside the grid.
BitGrid dilated(const BitGrid& grid, int reach);

}  // namespace gvbind
