#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/rules.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

struct VoxelEdits {
  std::vector<std::size_t> changed;  ///< voxels, by edit
  std::vector<MortonCode> cut;       ///< boundary voxels that are exterior now; ascending
};

/// Applies the edits in turn to the voxels whose centers they hold ("voxel painting"), then fills
/// what seals shut off: exterior voxels from which the outside of the grid could be reached before,
/// by faces of voxels, and cannot now. What was cut stays exterior. Counts the solid anew.
VoxelEdits apply_edits(std::span<const VolumeEdit> edits, const UnitCube& cube, Solid& solid);

/// The voxels that can be reached from the outside of the grid by faces, through voxels that are
/// not set.
BitGrid open_voxels(const BitGrid& solid);

}  // namespace gvbind
