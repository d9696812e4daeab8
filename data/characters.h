#pragma once

#include <array>
#include <string>

#include "character/scene.h"

namespace gvbind {

/// A wizard of 1.8 m in an A-pose, 29 joints: closed parts that overlap (body, outfit, eyes) and
/// open ones (skirt, cape, hat). Meters, y up, looking along z.
Scene biped();

/// A dog, 0.75 m at the shoulder, 32 joints: a closed body of overlapping parts, eyes, and ears
/// that are open sheets. Meters, y up, looking along z.
Scene quadruped();

/// An artist's wooden figure of 1.75 m in a T-pose, all closed parts, without a skeleton.
Scene mannequin();

/// Its skeleton alone, 23 joints; their frames are not turned.
Scene mannequin_skeleton();

/// The same scene with a unit of `units.meters` and its axes. Directions are turned, not mirrored.
Scene in_units(const Scene& scene, const Units& units);

/// A skeleton's rest pose as one frame of motion. One root.
std::string bvh_text(const Scene& skeleton);

}  // namespace gvbind
