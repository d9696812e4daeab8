#pragma once

// Tested by tests/unit/character/auto_rig_test.cpp.

#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// By joint, whether it is a control of Auto-Rig Pro, an add-on for Blender, by its name; empty if
/// the skeleton is not of that rig: it has no two joints named as "arm_stretch.l" and no two named
/// "c_NAME" beside NAME.
///
/// Controls are: "c_NAME" where a joint is called NAME; "arm.l" where one is called
/// "arm_stretch.l"; names with the words fk, ik, ref, nostr or pole between underscores or dots;
/// and a few others. "c_ear_01.l" is none where no "ear_01.l" is: such joints of that rig deform.
std::vector<bool> auto_rig_controls(std::span<const SceneJoint> joints);

}  // namespace gvbind
