#pragma once

// Tested by tests/unit/rig/skeleton_words_test.cpp.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "gvbind/joint.h"
#include "rig/joint_words.h"

namespace gvbind::rig {

/// Body parts by joint, in the context of the other names: a "leg" above a "knee" is a
/// thigh, the same name below an "upper leg" is a shin.
struct SkeletonWords {
  std::vector<JointWord> words;
  std::vector<int> sides;  ///< as joint_side()
};

SkeletonWords skeleton_words(std::span<const Joint> joints);

/// By joint, its role as joint_role(), in context.
std::vector<std::string> skeleton_roles(std::span<const Joint> joints);

/// Moves joints that hang from a control or from the root below the body part that they continue,
/// as exporters of control rigs leave them: feet below shins, heads below necks. Parents may come
/// after their children then. Returns the parents.
std::vector<int> attached_parents(std::span<const Joint> joints, const SkeletonWords& named);

/// The turn by right angles after which a skeleton of two legs and two arms stands, its left side
/// at +x: exporters write skeletons in the space of an armature that lies. Identity where names do
/// not tell, or where the trunk is not above the legs.
Eigen::Matrix3d upright_turn(std::span<const Joint> joints);

}  // namespace gvbind::rig
