#pragma once

// Tested by tests/unit/rig/rig_template_test.cpp.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "gvbind/joint.h"
#include "rig/joint_words.h"

namespace gvbind {

/// A part of a skeleton that ends where the body does. The joints between the ends of limbs (knees,
/// elbows) are placed along them: what the paper calls the reduced skeleton (section 3.2).
struct TemplateLimb {
  std::vector<int> joints;  ///< from the one next to the trunk to the last
  std::size_t root = 0;     ///< in `joints`: where the limb leaves the trunk (shoulder, hip)
  Eigen::Vector3d tip;      ///< where the body is expected to end
  int twin = -1;            ///< the limb that mirrors this one, or -1
  bool is_axial = false;    ///< in the plane of symmetry
  bool is_head = false;     ///< goes up to a head
};

/// A skeleton as it is embedded. Space of its joints: x to the character's left, y up, z to the
/// front.
struct RigTemplate {
  std::vector<Joint> joints;         ///< parents first; `deforms` false: not written, marks an end
  std::vector<std::size_t> sources;  ///< by joint: which of the given ones it is
  std::vector<JointWord> words;      ///< by joint: what its name says
  std::vector<TemplateLimb> limbs;
  std::vector<int> twins;     ///< by joint: the one that mirrors it, itself in the middle, or -1
  double middle = 0.0;        ///< x of the plane of symmetry
  Eigen::Vector3d low, high;  ///< the box of joints and tips
  double size() const { return (high - low).maxCoeff(); }
};

/// Where the template has joint `i` of a limb; its tip, after the last.
const Eigen::Vector3d& limb_position(const RigTemplate& rig, const TemplateLimb& limb,
                                     std::size_t i);

/// The template's length of a limb from its joint `i` to the tip.
double limb_length(const RigTemplate& rig, const TemplateLimb& limb, std::size_t i);

/// Feet and hands that hang from a control, so that a limb can reach for them, are put below the
/// shin or the forearm of their side, and joints in an order that has parents first. Finds the
/// limbs, their tips and twins by the shape of the skeleton; names help where they say
/// what a joint is. Where no end joint marks a tip, it is estimated from the last bones. Throws
/// Error(cannot_bind) for fewer than three joints, a parent that does not come before its child
/// (a cycle), a position that is not finite, and joints all at one place.
RigTemplate analyzed_template(std::span<const Joint> joints);

}  // namespace gvbind
