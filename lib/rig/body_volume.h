#pragma once

// Tested by tests/unit/rig/body_volume_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/mesh_view.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind::rig {

constexpr std::uint32_t no_cell = 0xffffffffu;

struct BodyVolumeOptions {
  int resolution = 128;  ///< voxels per side: a power of two, 16 to 512
  /// Components with at most this gap between them are connected, others dropped. Cube sides.
  double bridge = 0.1;
  /// The same where two large components lie above each other, as legs under a skirt.
  double bridge_stacked = 0.25;
  /// Which group of connected components: 0 the largest, 1 the next, or the last.
  std::size_t group = 0;
  /// Applied to the mesh before voxelization; a multiple of right angles, so that rotated copies of
  /// a mesh have the same voxels.
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
};

/// The interior of a body as voxels with their depths. Replaces the distance field of the paper
/// (section 3.1), whose octree needs a watertight mesh. Lengths in voxels unless a comment says
/// otherwise; voxel (x, y, z) has its center at (x, y, z) + 1/2.
struct BodyVolume {
  UnitCube cube;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< of the mesh, a multiple of right angles
  int resolution = 0;
  /// Of the box around the cells, which has one voxel of air on each side.
  Eigen::Vector3i low = {0, 0, 0};
  Eigen::Vector3i extent = {0, 0, 0};  ///< of that box
  std::vector<std::uint32_t> slots;    ///< by position in the box, x fastest: the cell, or no_cell
  std::vector<Eigen::Vector3i> cells;  ///< ascending in that order; 26-connected
  std::vector<float> depths;  ///< by cell, distance from its center to the nearest center outside
  std::size_t group = 0;      ///< as in BodyVolumeOptions
  std::size_t dropped = 0;    ///< voxels of components too far from the body

  std::size_t slot_of(const Eigen::Vector3i& voxel) const {
    const Eigen::Vector3i at = voxel - low;
    return (static_cast<std::size_t>(at.z()) * extent.y() + at.y()) * extent.x() + at.x();
  }
  /// The cell at a voxel, or no_cell.
  std::uint32_t find(const Eigen::Vector3i& voxel) const;
  std::uint32_t find(const Eigen::Vector3d& point) const;
  /// The center of a cell.
  Eigen::Vector3d center(std::uint32_t cell) const {
    return cells[cell].cast<double>().array() + 0.5;
  }
  /// The cell nearest to a point; ties: the first. Linear in the number of cells.
  std::uint32_t nearest(const Eigen::Vector3d& point) const;
  Eigen::Vector3d to_bind(const Eigen::Vector3d& point) const;
  Eigen::Vector3d from_bind(const Eigen::Vector3d& position) const;
  /// Longest side of the cells' box.
  double size() const { return (extent.array() - 2).maxCoeff(); }
};

/// Voxels whose center has a winding number above 1/2, and voxels that meet a triangle if there is
/// no such voxel nearby (sheets and hair, which the first rule would lose). Throws
/// Error(cannot_bind) like unit_cube(), for a mesh without volume, and for several separate bodies.
BodyVolume body_volume(const MeshView& mesh, const BodyVolumeOptions& options = {});

/// From known cells, ascending and not empty. Computes depths; connects or drops components.
/// `bridge`: voxels. `group` as in BodyVolumeOptions.
BodyVolume volume_of_cells(std::vector<Eigen::Vector3i> cells, const UnitCube& cube, int resolution,
                           double bridge, std::size_t group = 0);

}  // namespace gvbind::rig
