#pragma once

#include <cstddef>

#include "gvbind/part_joints.h"
#include "gvbind/weights.h"

namespace gvbind {

struct RigidCount {
  std::size_t parts = 0, vertices = 0;
};

/// An attached part none of whose joints has this share of its weight bends: it stays as it is (a
/// cape, trousers of two layers). More than a half, so that no two joints are as good.
constexpr double least_rigid_share = 0.501;

/// Gives every vertex of a rigid part to the part's joint, and those of an attached part to the
/// joint that has most weight there, if that is enough. Returns how many it
/// did so with.
RigidCount bind_rigid_parts(const MeshParts& parts, const PartJoints& joints,
                            VertexWeights& weights);

}  // namespace gvbind
