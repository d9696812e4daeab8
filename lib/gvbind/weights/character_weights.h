#pragma once

// Tested by tests/unit/gvbind/weight_field_test.cpp.

#include <cstdint>
#include <optional>
#include <vector>

#include "gvbind/distance/character_distances.h"
#include "gvbind/weights/component_joints.h"
#include "gvbind/weights/euclidean_correction.h"
#include "gvbind/weights/falloff.h"
#include "gvbind/weights/rigid_components.h"

namespace gvbind {

/// What decides weights beside distances and falloff, as the options want it.
struct WeightRules {
  std::optional<EuclideanCorrection> correction;
  std::optional<ComponentJoints> components;
  OwnerBan bans;  ///< none: of no joint
};

WeightRules weight_rules(const CharacterDistances& distances, const BindOptions& options);

/// The weights of a character's vertices.
struct CharacterWeights {
  SkinWeights rows;
  std::vector<std::uint32_t> owner;  ///< of each component: the joint of all its vertices, or
                                     ///< no_owner; empty where components bend
  RigidCount rigid;
  std::size_t unreached = 0;  ///< rows taken from the nearest vertex that is reached
};

CharacterWeights character_weights(const CharacterDistances& distances, const WeightRules& rules,
                                   const Falloff& falloff);

/// Of each point, the nearest vertex.
std::vector<std::uint32_t> nearest_vertices(std::span<const Eigen::Vector3i> vertices,
                                            std::span<const Eigen::Vector3i> points);

/// `free`, the rows of points that each bend for themselves, but a point gets the row of its
/// nearest vertex where that vertex lies on a rigid component or the point has no row.
SkinWeights with_rows_of_vertices(const Components& components, const CharacterWeights& of_vertices,
                                  std::span<const std::uint32_t> nearest, const SkinWeights& free);

/// Bans the joints of each pair of groups from each other's skin. No function where there are no
/// pairs.
OwnerBan owner_ban(std::span<const ForbiddenJoints> forbidden, std::size_t joints);

/// Weights at points of the lattice. Each belongs to the component of the nearest vertex, has its
/// distances read with the offset that this vertex has to its point, and takes its row where no
/// joint reaches it.
SkinWeights weights_of_points(const CharacterDistances& distances, const WeightRules& rules,
                              const Falloff& falloff, std::span<const Eigen::Vector3i> points);

}  // namespace gvbind
