#pragma once

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "assets/scene.h"

namespace gvbind {

/// Bind-space transforms of joints whose local frames were turned: turn[j] is a rotation in joint
/// j's own frame. The result maps bind space to posed space (equation 4's T). A joint whose bind
/// cannot be inverted moves with its parent; a missing turn is none.
std::vector<Eigen::Affine3d> pose_joints(std::span<const SceneJoint> joints,
                                         std::span<const Eigen::Quaterniond> turn);

/// Linear blend skinning of a mesh (equation 4); a vertex without weight stays. Rows that do not
/// sum to one are divided by their sum.
std::vector<Eigen::Vector3d> skin_positions(const SceneMesh& mesh,
                                            std::span<const Eigen::Affine3d> pose);

}  // namespace gvbind
