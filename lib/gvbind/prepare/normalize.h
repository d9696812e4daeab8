#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/mesh_view.h"
#include "gvbind/prepare/bone_segments.h"

namespace gvbind {

/// The unit cube of the paper (section 4) as an integer lattice of 2^20 steps per side. Edge
/// functions and plane equations of lattice points fit into 64 bits, which makes every later inside
/// test exact.
///
/// Units: positions and lengths are lattice steps unless a comment says otherwise. Distances and
/// options that do not depend on the lattice are fractions of the cube's side ("cube sides").
constexpr int lattice_bits = 20;
constexpr std::int32_t lattice_size = 1 << lattice_bits;
/// Free space on each side of the widest axis: a sixteenth of a voxel at resolution 16, eight
/// voxels at 2048. Keeps the surface off the cube's faces.
constexpr std::int32_t lattice_margin = lattice_size / 256;

/// The side of a voxel, lattice steps. `resolution`: a power of two.
constexpr double voxel_size(int resolution) {
  return static_cast<double>(lattice_size) / resolution;
}
/// Binary logarithm of voxel_size().
constexpr int voxel_shift(int resolution) {
  int shift = lattice_bits;
  while (lattice_size >> shift < resolution) --shift;
  return shift;
}

/// Bind space -> lattice: q = round((p - center) * scale) + lattice_size / 2. The scale is uniform;
/// the box of the bones and of the mesh's triangles is centered in the cube.
struct UnitCube {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< bind space
  double scale = 1.0;                                ///< lattice steps per unit of bind space

  /// Accepts points outside the cube (for example vertices of an LOD); saturates at 2^28.
  Eigen::Vector3i to_lattice(const Eigen::Vector3d& p) const;
  /// Bind-space position of a lattice point.
  Eigen::Vector3d to_bind(const Eigen::Vector3d& q) const {
    return center + (q.array() - lattice_size / 2.0).matrix() / scale;
  }

  bool operator==(const UnitCube&) const = default;
};

/// The lattice point nearest to `position`, in lattice steps. Rounds halves to even, so that
/// mirrored positions give mirrored lattice points.
inline Eigen::Vector3i lattice_point(const Eigen::Vector3d& position) {
  return position.array().rint().cast<int>();
}

/// A mesh on the lattice. Triangles keep their order. Degenerate ones remain, because they meet
/// voxels too.
struct LatticeMesh {
  std::vector<Eigen::Vector3i> positions;  ///< used by triangles: within [0, lattice_size]
  std::vector<Triangle> triangles;
};

struct LatticeSegment {
  Eigen::Vector3i a, b;
};

/// By joint, the segments of its bones.
using LatticeBones = std::vector<std::vector<LatticeSegment>>;

/// The cube around a mesh and its bones. Throws Error(cannot_bind), naming the vertex, triangle or
/// joint, for positions or joints that are not finite, no triangles, an index out of range, and a
/// box that is flat along an axis.
UnitCube unit_cube(const MeshView& mesh, std::span<const JointBones> bones);

LatticeMesh lattice_mesh(const UnitCube& cube, const MeshView& mesh);

LatticeBones lattice_bones(const UnitCube& cube, std::span<const JointBones> bones);

}  // namespace gvbind
