#pragma once

#include <functional>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/primitive.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// Voxels first to last of a row along x.
struct VoxelRun {
  int first, last, y, z;
};

/// Calls `visit` for the voxels whose centers lie in the primitive, row by row; rows may run in
/// parallel.
void visit_voxels(const Primitive& primitive, const UnitCube& cube, int resolution,
                  const std::function<void(const VoxelRun& run)>& visit);

/// The set voxels whose centers lie in the primitive, ascending. For a point, the voxel that
/// contains it.
std::vector<MortonCode> voxels_within(const Primitive& primitive, const UnitCube& cube,
                                      const BitGrid& grid);

/// The run's bits in word `word` of its row.
std::uint64_t run_mask(const VoxelRun& run, int word);

}  // namespace gvbind
