#pragma once

// Tested by tests/unit/preview/poses_test.cpp.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

enum class LimbKind {
  trunk,   ///< several limbs hang from it: hips, spine, chest
  leg,     ///< a limb that reaches the ground
  arm,     ///< another limb at one side
  middle,  ///< neck, tail
};

/// What a joint is to the body, judged from lengths and positions.
struct LimbRole {
  LimbKind kind = LimbKind::trunk;
  bool bends = false;     ///< on the main line of its limb or of the trunk
  int index_in_limb = 0;  ///< along the limb: 0 shoulder or hip, 1 elbow or knee, ...
  bool flexible = false;  ///< of a limb of many short joints
  double share = 1.0;     ///< of the bend, where it is spread over joints (trunk, middle, flexible)
  double side = 0.0;      ///< 1 left, -1 right, 0 in the middle
  double half = 1.0;      ///< -1 where the limb hangs from the back half of a long body
  Eigen::Vector3d segment = Eigen::Vector3d::Zero();  ///< to the next joint; at a tip, from the
                                                      ///< one before; bind space
};

/// One role a joint. `left` and the units' axes orient the body.
std::vector<LimbRole> limb_roles(const Scene& scene);

/// Bind-space transforms of joints whose local frames were turned: turn[j] is a rotation in joint
/// j's own frame. The result maps bind space to posed space (equation 4's T). A joint whose bind
/// cannot be inverted moves with its parent; a missing turn is none.
std::vector<Eigen::Affine3d> pose_joints(std::span<const SceneJoint> joints,
                                         std::span<const Eigen::Quaterniond> turn);

/// The turn for pose_joints that turns a joint by `turn` in bind space; the scale and shear of its
/// frame stay out of it. None where the frame is not finite.
Eigen::Quaterniond turn_in_frame(const Eigen::Affine3d& bind, const Eigen::Matrix3d& turn);

/// Linear blend skinning of a mesh (equation 4); a vertex without weight stays. Rows that do not
/// sum to one are divided by their sum.
std::vector<Eigen::Vector3d> skin_positions(const SceneMesh& mesh,
                                            std::span<const Eigen::Affine3d> pose);

enum class BentPose {
  stride,  ///< legs apart, arms down, spine bowed
  crouch,  ///< legs spread and bent, arms up, spine to one side
};

/// Turns for pose_joints that bend a skeleton where weights show: limbs in the places of knees and
/// elbows alternately, spines and tails in a curve. Found from lengths, directions and branches
/// alone, since names tell nothing in most files. Short side branches (fingers but the longest,
/// twist joints) keep their turn.
std::vector<Eigen::Quaterniond> bent_pose(const Scene& scene, BentPose pose, double degrees);

}  // namespace gvbind
