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

/// Minimum fraction of an attached component's weight on its first joint for the component to be
/// rigid; others bend (a cape, trousers of two layers). More than a half, so that at most one joint
/// qualifies.
constexpr double min_rigid_fraction = 0.501;

constexpr std::uint32_t no_owner = 0xffffffffu;

/// By component, the joint of all its vertices: its joint if rigid; if attached, the joint with
/// most weight there, if that is enough; else no_owner.
std::vector<std::uint32_t> component_owners(const Components& components,
                                            const ComponentJoints& joints,
                                            const SkinWeights& weights);

/// Fractions by which a component is released.
constexpr double min_released_fraction = 0.3, min_kept_fraction = 0.05;

/// Releases components whose owners would leave another joint without weight: a joint with at least
/// min_released_fraction of the component in `weights` that would keep less than min_kept_fraction
/// of its own weight. So a shin that is one component with the thigh keeps its joint.
void release_components(const Components& components, const SkinWeights& weights,
                        std::vector<std::uint32_t>& owners);

/// Binds the vertices of owned components to the owners. Returns their counts.
RigidCount bind_rigid_components(const Components& components,
                                 std::span<const std::uint32_t> owners, SkinWeights& weights);

}  // namespace gvbind
