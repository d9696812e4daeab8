#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind::motion {

/// By joint, bind space -> posed space.
using PoseSpan = std::span<const Eigen::Affine3d>;

/// All vertices of a scene's meshes with their influences, mesh by mesh. A mesh without a skin
/// moves with its parent joint.
struct PoseSurface {
  std::vector<std::size_t> first = {0};  ///< vertices of mesh m: first[m] .. first[m + 1]
  std::vector<Eigen::Vector3d> rest;     ///< bind space
  std::vector<Triangle> triangles;       ///< with valid, finite vertices
  /// By vertex; without influences it does not move.
  std::vector<std::size_t> first_influence = {0};
  std::vector<std::uint32_t> joint;  ///< by joint
  std::vector<double> weight;        ///< sum to one per vertex

  std::size_t vertex_count() const { return rest.size(); }
};

PoseSurface pose_surface(const Scene& scene);

/// Diagonal of the box around the finite rest positions; 1 if it would be 0.
double size_of(const PoseSurface& surface);

/// Sum of w_i M_i of a vertex (von Funck et al. 2008, eq. 4); identity without influences.
Eigen::Affine3d blended_transform(const PoseSurface& surface, std::size_t vertex, PoseSpan pose);

/// Linear blend skinning, one position per vertex.
std::vector<Eigen::Vector3d> linear_positions(const PoseSurface& surface, PoseSpan pose);

}  // namespace gvbind::motion
