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

/// Inputs of weights besides distances and falloff, derived from the options.
struct WeightRules {
  std::optional<EuclideanCorrection> correction;
  std::optional<ComponentJoints> components;
  OwnerBan bans;  ///< empty: no bans
};

WeightRules weight_rules(const CharacterDistances& distances, const BindOptions& options);

/// The weights of a character's vertices.
struct CharacterWeights {
  SkinWeights rows;
  /// By component: the joint of all its vertices, or no_owner; empty if components bend.
  std::vector<std::uint32_t> owner;
  RigidCount rigid;
  std::size_t unreached = 0;  ///< rows copied from the nearest reached vertex
};

CharacterWeights character_weights(const CharacterDistances& distances, const WeightRules& rules,
                                   const Falloff& falloff);

/// By point, the nearest vertex.
std::vector<std::uint32_t> nearest_vertices(std::span<const Eigen::Vector3i> vertices,
                                            std::span<const Eigen::Vector3i> points);

/// `free`: rows of points computed individually. Points without a row, or whose nearest vertex lies
/// on a rigid component, get that vertex's row.
SkinWeights with_rows_of_vertices(const Components& components, const CharacterWeights& of_vertices,
                                  std::span<const std::uint32_t> nearest, const SkinWeights& free);

/// Bans the joints of each pair of groups from each other's skin. Empty without pairs.
OwnerBan owner_ban(std::span<const ForbiddenJoints> forbidden, std::size_t joints);

/// Rows without the joints that are banned by the joint with most weight, rescaled to sum to one.
SkinWeights without_banned(const SkinWeights& weights, const OwnerBan& bans);

/// Weights at lattice points. A point belongs to the component of its nearest vertex, is read with
/// that vertex's offset, and copies its row if no joint reaches the point.
SkinWeights weights_of_points(const CharacterDistances& distances, const WeightRules& rules,
                              const Falloff& falloff, std::span<const Eigen::Vector3i> points);

}  // namespace gvbind
