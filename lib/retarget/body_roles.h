#pragma once

// Tested by tests/unit/retarget/joint_map_test.cpp.

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "retarget/rest_skeleton.h"

namespace gvbind::retarget {

/// Ends of the names of parts of the left and the right side.
inline constexpr std::array<const char*, 2> body_sides = {".L", ".R"};

/// A node of the file and the human bone that the file itself says it is ("leftUpperArm", in the
/// words of VRM).
using HumanBones = std::vector<std::pair<int, std::string>>;

/// The parts of a body, each with its nodes from the trunk outwards: "hips", "spine", "neck",
/// "head", and with ".L" or ".R" "collar", "upper_arm", "forearm", "hand", "thumb", "index",
/// "middle", "ring", "little", "thigh", "shin", "foot", "toe". "root" is the joint above the hips.
struct BodyRoles {
  std::map<std::string, std::vector<int>> parts;
  /// By node, the node that it moves with: its parent, except for feet and hands that a control rig
  /// leaves elsewhere, the limb.
  std::vector<int> carriers;
  bool by_shape = false;  ///< not by the names of the joints

  /// The only or first node of a part, or -1.
  int first(const std::string& part) const;
  /// Whether it has both legs and the hips.
  bool is_body() const;
};

BodyRoles body_roles(const RestSkeleton& skeleton, const HumanBones& bones = {});

/// Nodes so that each comes after the one that carries it.
std::vector<int> carried_order(const std::vector<int>& carriers);

/// Whether a body with legs has its trunk across, as beasts and birds have. False for other
/// skeletons.
bool has_level_trunk(const RestSkeleton& skeleton, const BodyRoles& roles);

/// Whether both hands are near the ground, as seen from the shoulders. False without legs.
bool stands_on_hands(const RestSkeleton& skeleton, const BodyRoles& roles);

}  // namespace gvbind::retarget
