#pragma once

// Tested by tests/unit/retarget/own_motions_test.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "retarget/body_roles.h"

namespace gvbind::retarget {

/// Names of the motions that need no file, of all kinds of bodies: "idle", "walk", "wave", "fly",
/// ...
std::vector<std::string> own_motion_names();

/// The motions of a kind of body: a template of `gvbind rig`, by name. All for other names.
std::vector<std::string> own_motion_names(std::string_view body);

/// Throws Error(usage) where a kind of body has no such motion.
void check_own_motion(const std::string& name, std::string_view body);

/// A skeleton with one of these motions as its clip, a loop at 30 frames a second: a human one in a
/// T pose for bodies that stand upright, else the hero's own at rest. Meters, +y up; `hero` in the
/// pose that its file has, `kind` as for own_body(). Throws Error(usage) where
/// the hero's kind of body has no such motion.
NodeScene own_motion(const std::string& name, const NodeScene& hero, const HumanBones& bones = {},
                     std::string_view kind = {});

}  // namespace gvbind::retarget
