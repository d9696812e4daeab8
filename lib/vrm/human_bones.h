#pragma once

// Tested by tests/command/rig_vrm_test.py.

#include <map>
#include <string>

#include "retarget/body_roles.h"

namespace gvbind::vrm {

/// Nodes by human bone of VRM 1.0: "leftUpperArm".
using HumanBoneNodes = std::map<std::string, int>;

HumanBoneNodes human_bone_nodes(const retarget::BodyRoles& roles);

/// The bones that VRM requires and that are missing, as a list with commas; empty: none.
std::string missing_human_bones(const HumanBoneNodes& bones);

}  // namespace gvbind::vrm
