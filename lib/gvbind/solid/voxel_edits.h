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
  std::vector<std::size_t> changed;  ///< number of voxels, by edit
  std::vector<MortonCode> cut;       ///< boundary voxels made exterior, ascending
};

/// Applies the edits in order to the voxels whose centers they contain ("voxel painting"), then
/// fills space enclosed by seals: exterior voxels connected by faces to the outside of the grid
/// before, but not after. Voxels that were cut stay exterior. Recounts the solid.
VoxelEdits apply_edits(std::span<const VolumeEdit> edits, const UnitCube& cube, Solid& solid);

/// The voxels connected by faces to the outside of the grid through voxels that are not set.
BitGrid open_voxels(const BitGrid& solid);

}  // namespace gvbind
