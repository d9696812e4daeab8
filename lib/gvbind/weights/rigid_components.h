#pragma once

#include <cstddef>

#include "gvbind/skin_weights.h"
#include "gvbind/weights/component_joints.h"

namespace gvbind {

struct RigidCount {
  std::size_t components = 0, vertices = 0;
};

/// An attached part none of whose joints has this share of its weight bends: it stays as it is (a
/// cape, trousers of two layers). More than a half, so that no two joints are as good.
constexpr double min_rigid_fraction = 0.501;

/// Gives every vertex of a rigid part to the part's joint, and those of an attached part to the
/// joint that has most weight there, if that is enough. Returns how many it
/// did so with.
RigidCount bind_rigid_components(const Components& components, const ComponentJoints& joints,
                                 SkinWeights& weights);

}  // namespace gvbind
