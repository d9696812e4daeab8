#pragma once

#include <cstddef>

#include "gvbind/skin_weights.h"
#include "gvbind/weights/component_joints.h"

namespace gvbind {

struct RigidCount {
  std::size_t components = 0, vertices = 0;
};

/// The least fraction of its weight that the first joint of an attached component must have for the
/// component to become rigid; others bend (a cape, trousers of two layers). More than a half, so
/// that no two joints are as good.
constexpr double min_rigid_fraction = 0.501;

/// Gives the vertices of a rigid component to its joint, and those of an attached one to the joint
/// with most weight there, if that is enough. Returns how many it gave.
RigidCount bind_rigid_components(const Components& components, const ComponentJoints& joints,
                                 SkinWeights& weights);

}  // namespace gvbind
