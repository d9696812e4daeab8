#pragma once

#include <functional>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/primitive.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// Voxels first .. last of a row along x.
struct VoxelRun {
  int first, last, y, z;
};

/// Calls `visit` for the voxels of a grid whose centers lie in the primitive, row by row; rows may
/// come in parallel.
void visit_voxels(const Primitive& primitive, const UnitCube& cube, int resolution,
                  const std::function<void(const VoxelRun& run)>& visit);

/// Of the voxels that are set in the grid, those whose centers lie in the primitive, and of a point
/// the one that holds it: ascending.
std::vector<MortonCode> voxels_within(const Primitive& primitive, const UnitCube& cube,
                                      const BitGrid& grid);

/// The bits of the run in word `word` of its row.
std::uint64_t run_mask(const VoxelRun& run, int word);

}  // namespace gvbind
