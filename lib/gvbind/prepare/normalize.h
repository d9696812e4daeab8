#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/bone_segments.h"

namespace gvbind {

/// The unit cube of the paper (section 4) as a lattice of 2^20 steps a side. Whole numbers make
/// every later inside test exact: edge functions and plane equations of lattice points fit into 64
/// bits.
constexpr int lattice_bits = 20;
constexpr std::int32_t lattice_size = 1 << lattice_bits;
/// Free space on each side of the widest axis: a sixteenth of a voxel at the coarsest resolution,
/// four voxels at the finest, so that the surface stays off the cube's faces.
constexpr std::int32_t lattice_margin = lattice_size / 256;

using Triangle = std::array<std::uint32_t, 3>;

/// Bind space -> lattice: q = round((p - center) * scale) + lattice_size / 2. Uniform; the box of
/// mesh (what its triangles use) and bones sits in the cube's middle.
struct UnitCube {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< bind space
  double scale = 1.0;                                ///< lattice steps a unit of bind space

  /// Points outside the cube are fine (an LOD's vertices may lie there); they saturate at 2^28.
  Eigen::Vector3i to_lattice(const Eigen::Vector3d& p) const;
};

/// The lattice point nearest to a place on the lattice. Halves go to even ones, so that of mirrored
/// places the points are mirrored too.
inline Eigen::Vector3i lattice_point(const Eigen::Vector3d& at) {
  return at.array().rint().cast<int>();
}

struct LatticeSegment {
  Eigen::Vector3i a, b;
};

/// Mesh and bones in the cube. Triangles keep their order; degenerate ones stay (they touch voxels
/// too).
struct UnitScene {
  UnitCube cube;
  std::vector<Eigen::Vector3i> positions;  ///< those of triangles within [0, lattice_size]
  std::vector<Triangle> triangles;
  std::vector<std::vector<LatticeSegment>> influences;
};

/// Throws Error(cannot_bind) for positions or joints that are not finite, no triangles, an index
/// past the positions, and a box without extent or flat along an axis; Error names the vertex,
/// triangle or joint.
UnitScene normalize(std::span<const Eigen::Vector3d> positions, std::span<const Triangle> triangles,
                    std::span<const Influence> influences);

}  // namespace gvbind
