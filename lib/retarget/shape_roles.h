#pragma once

// Tested by tests/unit/retarget/shape_roles_test.cpp.

#include <vector>

#include "retarget/body_roles.h"

namespace gvbind::retarget {

/// The parts of an upright body with two legs and two arms by the lengths of its bones and by where
/// its joints lie, whatever they are called. `owned`: by node, the sum of its skin weights; empty
/// or all zero: every joint counts. No part is a finger. No parts where no two branches are
/// legs, where others are no arms, or where all four stand on the ground.
BodyRoles shape_roles(const RestSkeleton& skeleton, const std::vector<double>& owned);

/// Parts by shape of a scene at bind time or, without a skin, at rest. Joints without skin count
/// only where those with skin make no body.
BodyRoles parts_by_shape(const NodeScene& scene);

/// The parts of a scene's body at rest by names (body_roles) or, where these name no legs, by
/// shape.
BodyRoles scene_roles(const NodeScene& scene, const HumanBones& bones);

}  // namespace gvbind::retarget
