#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/influence.h"

namespace gvbind {

/// The unit cube of the paper (section 4) as a lattice of 2^20 steps a side. Whole numbers make
/// every later inside test exact: edge functions and plane equations of lattice points fit into 64
/// bits.
constexpr int lattice_bits = 20;
constexpr std::int32_t lattice_size = 1 << lattice_bits;

using Triangle = std::array<std::uint32_t, 3>;

/// Bind space -> lattice: q = (p - origin) * scale. Uniform; the box of mesh and bones sits in the
/// cube's middle.
struct UnitCube {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  double scale = 1.0;  ///< lattice steps a unit of bind space
};

struct LatticeSegment {
  Eigen::Vector3i a, b;
};

/// Mesh and bones in the cube. Triangles keep their order; degenerate ones stay (they touch voxels
/// too).
struct UnitScene {
  UnitCube cube;
  std::vector<Eigen::Vector3i> positions;  ///< each within [0, lattice_size]
  std::vector<Triangle> triangles;
  std::vector<std::vector<LatticeSegment>> influences;
};

/// Throws Error(cannot_bind) for positions or joints that are not finite, no triangles, an index
/// past the positions, and a box without extent; Error names the vertex, triangle or joint.
UnitScene normalize(std::span<const Eigen::Vector3d> positions, std::span<const Triangle> triangles,
                    std::span<const Influence> influences);

}  // namespace gvbind
