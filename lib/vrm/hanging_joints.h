#pragma once

// Tested by tests/unit/vrm/hanging_joints_test.cpp.

#include <optional>
#include <string>
#include <vector>

#include "retarget/body_roles.h"
#include "retarget/rest_skeleton.h"

namespace gvbind::vrm {

enum class HangKind { hair, skirt, tail, ear, other };

/// The kind that a joint's name tells; none where it says nothing.
std::optional<HangKind> hang_kind(const std::string& name);

/// Joints that hang from the body, from there outwards, each below the one before. All indices are
/// nodes of the skeleton.
struct HangingChain {
  HangKind kind = HangKind::other;
  std::vector<int> nodes;
  bool has_tip = false;  ///< the last node marks the end and moves no vertex
};

/// A joint outside the body that does not hang.
struct StillJoint {
  int node = -1;
  const char* reason = "";  ///< "part of the face"
};

struct HangingJoints {
  std::vector<HangingChain> chains;
  std::vector<StillJoint> still;
};

/// Facts about each node.
struct NodeUse {
  std::vector<bool> moves_vertices;
  std::vector<bool> is_taken;  ///< moved by something else already: a spring, a constraint
};

/// Finds chains by the words in their names (hair, skirt, tail, ear). On a human body, chains of
/// two joints or more whose names say nothing hang as well if they lead away from the body.
HangingJoints hanging_joints(const retarget::RestSkeleton& skeleton,
                             const retarget::BodyRoles& roles, const NodeUse& use);

}  // namespace gvbind::vrm
