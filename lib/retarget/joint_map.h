#pragma once

// Tested by tests/unit/retarget/joint_map_test.cpp.

#include <string>
#include <utility>
#include <vector>

#include "retarget/body_roles.h"

namespace gvbind::retarget {

/// A joint of the hero that follows one of the clip, or a mixture of two.
struct JointPair {
  int hero = -1;
  int clip = -1;          ///< node of the clip's skeleton
  int clip_next = -1;     ///< mixed in by `share`; -1: none
  double share = 0.0;     ///< 0 to 1
  std::string part = {};  ///< of the body, or empty for a pair by name
};

struct JointMap {
  std::vector<JointPair> pairs;  ///< by the hero's node, ascending; each hero node once
  bool same_names = false;       ///< of nearly all of the hero's joints: one skeleton
  std::vector<std::string> clip_unmatched, hero_unmatched;  ///< names of joints without a partner
};

/// A skeleton to be matched.
struct MappedSkeleton {
  const RestSkeleton& skeleton;
  const BodyRoles& roles;
};

/// By parts of the body where both have a body, then by equal names. `given` are pairs of names
/// (the clip's, the hero's) that count before all; the names must exist.
JointMap map_joints(const MappedSkeleton& clip, const MappedSkeleton& hero,
                    const std::vector<std::pair<std::string, std::string>>& given = {});

}  // namespace gvbind::retarget
