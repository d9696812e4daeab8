#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// Whether a triangle meets the closed box low .. high (lattice points), by the separating-axis
/// theorem (section 4). Exact: touching counts. Accepts degenerate triangles (segments, points).
bool triangle_meets_box(const Eigen::Vector3i& a, const Eigen::Vector3i& b,
                        const Eigen::Vector3i& c, const Eigen::Vector3i& low,
                        const Eigen::Vector3i& high);

/// The voxels that meet a triangle. `resolution`: power of two, 16 to 2048.
BitGrid boundary_voxels(const LatticeMesh& mesh, int resolution);

/// By joint, the Morton codes of voxels: ascending, without duplicates.
using BoneVoxels = std::vector<std::vector<MortonCode>>;

/// The voxels that meet a joint's segments, inside the mesh or not; empty for a joint without
/// segments.
BoneVoxels bone_voxels(const LatticeBones& bones, int resolution);

}  // namespace gvbind
