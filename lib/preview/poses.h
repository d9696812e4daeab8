#pragma once

// Tested by tests/unit/preview/poses_test.cpp.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind::preview {

enum class LimbKind {
  trunk,   ///< with several limbs attached: hips, spine, chest
  leg,     ///< a limb that reaches the ground
  arm,     ///< another limb on one side
  middle,  ///< neck, tail
};

/// A joint's function, derived from lengths and positions.
struct LimbRole {
  LimbKind kind = LimbKind::trunk;
  bool bends = false;     ///< on the main path of its limb or of the trunk
  int index_in_limb = 0;  ///< along the limb: 0 shoulder or hip, 1 elbow or knee, ...
  bool flexible = false;  ///< in a limb of many short joints
  /// Fraction of the bend, if it is distributed over joints (trunk, middle, flexible).
  double share = 1.0;
  double side = 0.0;  ///< 1 left, -1 right, 0 middle
  double half = 1.0;  ///< -1 if the limb is attached to the rear half of a long body
  Eigen::Vector3d segment = Eigen::Vector3d::Zero();  ///< to the next joint; at a tip, from the
                                                      ///< one before; bind space
};

/// One role per joint. `left` and the units' axes orient the body.
std::vector<LimbRole> limb_roles(const Scene& scene);

/// Bind-space transforms of joints with rotated local frames; turn[j] is a rotation in the frame of
/// joint j. The result maps bind space to posed space (T of equation 4). A joint whose bind is not
/// invertible moves with its parent; missing rotations are identity.
std::vector<Eigen::Affine3d> pose_joints(std::span<const SceneJoint> joints,
                                         std::span<const Eigen::Quaterniond> turn);

/// The local rotation for pose_joints() that equals `turn` in bind space, ignoring scale and shear
/// of the frame. Identity if the frame is not finite.
Eigen::Quaterniond turn_in_frame(const Eigen::Affine3d& bind, const Eigen::Matrix3d& turn);

/// Linear blend skinning of a mesh (equation 4); vertices without weight do not move. Rows are
/// normalized.
std::vector<Eigen::Vector3d> skin_positions(const SceneMesh& mesh,
                                            std::span<const Eigen::Affine3d> pose);

enum class BentPose {
  stride,  ///< legs apart, arms down, spine bowed
  crouch,  ///< legs spread and bent, arms up, spine to one side
};

/// Local rotations for pose_joints() that bend a skeleton to show its weights: limbs at knees and
/// elbows, in alternating directions, spines and tails in a curve. Derived from lengths, directions
/// and branches only, because names are unreliable in most files. Short side branches (all fingers
/// except the longest, twist joints) are not rotated.
std::vector<Eigen::Quaterniond> bent_pose(const Scene& scene, BentPose pose, double degrees);

}  // namespace gvbind::preview
