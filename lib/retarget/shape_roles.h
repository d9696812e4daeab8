#pragma once

// Tested by tests/unit/retarget/shape_roles_test.cpp.

#include <vector>

#include "retarget/body_roles.h"

namespace gvbind::retarget {

/// The parts of an upright body with two legs and two arms by the lengths of its bones and by where
/// its joints lie, whatever they are called. `owned`: by node, the sum of its skin weights; if it
/// is empty or all zero, every joint counts. Fingers are not among the parts. There are none at all
/// if no two branches are legs, no other two are arms, or all four stand on the ground, and for
/// skeletons of more than 1,000 joints.
BodyRoles shape_roles(const RestSkeleton& skeleton, const std::vector<double>& owned);

/// Parts by shape of a scene at bind time or, without a skin, at rest. Joints without weight count
/// only if those with weight make no body.
BodyRoles parts_by_shape(const NodeScene& scene);

/// The parts of a scene's body at rest by names (body_roles) or, if names tell no legs, by
/// shape.
BodyRoles scene_roles(const NodeScene& scene, const HumanBones& bones);

}  // namespace gvbind::retarget
