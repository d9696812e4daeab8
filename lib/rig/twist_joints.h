#pragma once

// Tested by tests/command/twist_test.py.

#include "rig/rig_skeleton.h"

namespace gvbind::rig {

inline constexpr int max_twist_joints = 8;

/// Throws Error(usage) for a count that is out of range, and for a template without arms and legs
/// of a human; `flag` names the option.
void check_twist(int count, const std::string& skeleton, const char* flag);

/// Adds `count` twist joints to each upper arm, forearm and thigh of a biped: children of the
/// limb's joint, with its axes, evenly spaced along the bone.
void add_twist_joints(int count, JointNames names, MadeSkeleton& made);

}  // namespace gvbind::rig
