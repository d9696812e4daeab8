#pragma once

// Tested by tests/unit/gvbind/surface_heat_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/distance/character_distances.h"

namespace gvbind {

/// A bone that heats the surface, in cube sides.
struct HeatBone {
  std::uint32_t joint;
  Eigen::Vector3d a, b;
};

/// One bone for each joint that owns bones in `distances`, ascending by joint: to the child with
/// most joints below it, of several the one furthest away or the middle of those as far, as an
/// artist's bone has one tail; at a leaf half as long as the parent's, in the direction from the
/// parent. Joints without bones heat nothing. The axes of the character's seed regions follow their
/// joints' bones.
std::vector<HeatBone> heat_bones(const CharacterDistances& distances,
                                 std::span<const Joint> joints);

}  // namespace gvbind
