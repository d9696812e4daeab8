#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// By joint, bind space -> posed space.
using PoseSpan = std::span<const Eigen::Affine3d>;

/// Every vertex of a scene's meshes as a pose moves it, one mesh after the other. A mesh without a
/// skin moves with the joint that it hangs from.
struct PoseSurface {
  std::vector<std::size_t> first = {0};  ///< mesh m has the vertices first[m] .. first[m + 1]
  std::vector<Eigen::Vector3d> rest;     ///< bind space
  std::vector<Triangle> triangles;       ///< of finite vertices that exist
  std::vector<std::size_t> first_influence = {0};  ///< by vertex; no joint: it stays
  std::vector<std::uint32_t> joint;                ///< by joint
  std::vector<double> weight;                      ///< those of a vertex sum to one

  std::size_t vertex_count() const { return rest.size(); }
};

PoseSurface pose_surface(const Scene& scene);

/// The diagonal of the box around the finite rest positions; 1 where it is 0.
double size_of(const PoseSurface& surface);

/// The sum of w_i M_i of a vertex (von Funck et al. 2008, eq. 4); identity for one that stays.
Eigen::Affine3d blended_transform(const PoseSurface& surface, std::size_t vertex, PoseSpan pose);

/// Linear blend skinning, one position a vertex.
std::vector<Eigen::Vector3d> linear_positions(const PoseSurface& surface, PoseSpan pose);

}  // namespace gvbind
