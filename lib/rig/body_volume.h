#pragma once

// Tested by tests/unit/rig/body_volume_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/mesh_view.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_cell = 0xffffffffu;

struct BodyVolumeOptions {
  int resolution = 128;  ///< voxels per side: a power of two, 16 to 512
  /// Parts with no more air than this between them are joined, the others left out. Cube sides.
  double bridge = 0.1;
  /// Of the mesh before it is cut into voxels, by right angles: a mesh that another turn gives has
  /// the same voxels.
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
};

/// The inside of a body as voxels, and how deep each lies: what stands for the distance field of
/// the paper (section 3.1), whose octree needs one watertight mesh. Lengths in voxels unless a
/// comment says otherwise; voxel (x, y, z) has its center at (x, y, z) + 1/2.
struct BodyVolume {
  UnitCube cube;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< of the mesh, by right angles
  int resolution = 0;
  Eigen::Vector3i low = {0, 0, 0};  ///< of the box around the cells, one voxel of air on each side
  Eigen::Vector3i extent = {0, 0, 0};  ///< of that box
  std::vector<std::uint32_t> slots;    ///< by place in the box, x fastest: the cell, or no_cell
  std::vector<Eigen::Vector3i> cells;  ///< ascending in that order, one piece under 26 neighbors
  std::vector<float> depths;           ///< by cell, from its center to the nearest center outside
  std::size_t dropped = 0;             ///< voxels of parts that lie too far from the body

  std::size_t slot_of(const Eigen::Vector3i& voxel) const {
    const Eigen::Vector3i at = voxel - low;
    return (static_cast<std::size_t>(at.z()) * extent.y() + at.y()) * extent.x() + at.x();
  }
  /// The cell at a place, or no_cell.
  std::uint32_t find(const Eigen::Vector3i& voxel) const;
  std::uint32_t find(const Eigen::Vector3d& point) const;
  /// The center of a cell.
  Eigen::Vector3d center(std::uint32_t cell) const {
    return cells[cell].cast<double>().array() + 0.5;
  }
  /// The cell nearest to a point; of several the first. Looks at all of them.
  std::uint32_t nearest(const Eigen::Vector3d& point) const;
  Eigen::Vector3d to_bind(const Eigen::Vector3d& point) const;
  Eigen::Vector3d from_bind(const Eigen::Vector3d& position) const;
  /// Longest side of the box of the cells.
  double size() const { return (extent.array() - 2).maxCoeff(); }
};

/// Voxels whose center has a winding number above one half, and of the others that a triangle meets
/// those with no such voxel near: sheets and hairs, which the first rule alone would lose.
/// Throws Error(cannot_bind) as unit_cube() does, for a mesh that encloses nothing, and for several
/// bodies that do not touch.
BodyVolume body_volume(const MeshView& mesh, const BodyVolumeOptions& options = {});

/// The same of cells that are known, ascending. Depths are computed; parts are bridged or dropped.
/// `cells` is not empty. `bridge`: voxels.
BodyVolume volume_of_cells(std::vector<Eigen::Vector3i> cells, const UnitCube& cube, int resolution,
                           double bridge);

}  // namespace gvbind
