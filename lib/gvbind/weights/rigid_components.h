#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

constexpr std::uint32_t no_owner = 0xffffffffu;

/// Of each component, the joint that takes all its vertices: its joint if it is rigid; if it is
/// attached, the one with most weight there, if that is enough; else no_owner.
std::vector<std::uint32_t> component_owners(const Components& components,
                                            const ComponentJoints& joints,
                                            const SkinWeights& weights);

/// Gives the vertices of owned components to the owners. Returns how many it gave.
RigidCount bind_rigid_components(const Components& components,
                                 std::span<const std::uint32_t> owners, SkinWeights& weights);

}  // namespace gvbind
