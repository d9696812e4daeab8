#pragma once

// Tested by tests/unit/rig/rig_template_test.cpp.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "gvbind/joint.h"
#include "rig/joint_words.h"

namespace gvbind::rig {

/// A part of a skeleton that ends where the body ends. Joints between the ends of limbs (knees,
/// elbows) are placed along them: the reduced skeleton of the paper (section 3.2).
struct TemplateLimb {
  std::vector<int> joints;  ///< from the trunk to the last
  std::size_t root = 0;   ///< index into `joints`: where the limb leaves the trunk (shoulder, hip)
  Eigen::Vector3d tip;    ///< expected end of the body
  int mirror_limb = -1;   ///< the limb that mirrors this one, or -1
  bool is_axial = false;  ///< in the plane of symmetry
  bool is_head = false;   ///< leads up to a head
};

/// A skeleton prepared for embedding. Space of its joints: x to the character's left, y up, z to
/// the front.
struct RigTemplate {
  std::vector<Joint> joints;         ///< parents first; `deforms` false: marks an end, not written
  std::vector<std::size_t> sources;  ///< by joint: index of the input joint
  std::vector<JointWord> words;      ///< by joint: meaning of its name
  std::vector<TemplateLimb> limbs;
  std::vector<int> mirror_joints;  ///< by joint: its mirror joint, itself in the middle, or -1
  double middle = 0.0;             ///< x of the plane of symmetry
  Eigen::Vector3d low, high;       ///< the box of joints and tips
  double size() const { return (high - low).maxCoeff(); }
};

/// The template's position of joint `i` of a limb; after the last joint, its tip.
const Eigen::Vector3d& limb_position(const RigTemplate& rig, const TemplateLimb& limb,
                                     std::size_t i);

/// The template's length of a limb from joint `i` to the tip.
double limb_length(const RigTemplate& rig, const TemplateLimb& limb, std::size_t i);

/// Moves feet and hands that are attached to a control (for IK) below the shin or forearm of their
/// side, and sorts joints parents first. Finds limbs, their tips and mirror limbs by the shape of
/// the skeleton, supported by names. Tips without an end joint are estimated from the last bones.
/// Throws Error(cannot_bind) for fewer than three joints, a parent that is not before its child (a
/// cycle), a position that is not finite, and joints all at one position.
RigTemplate analyzed_template(std::span<const Joint> joints);

}  // namespace gvbind::rig
