#pragma once

// Tested by tests/unit/gvbind/fitted_weights_test.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gvbind/fitted/joint_groups.h"
#include "gvbind/fitted/painted_pairs.h"
#include "gvbind/fitted/pair_features.h"
#include "gvbind/fitted/pair_network.h"
#include "gvbind/fitted/surface_heat.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

/// Scores pairs of points and joints: a network, or heat for WeightRule::heat.
struct FittedRules {
  CharacterWeights falloff;  ///< by distances alone, default falloff, no bans: for the network
  PairContext context;
  std::optional<PairScorer> scorer;  ///< its rows are the context's joints; none with heat
  std::optional<SurfaceHeat> heat;
  std::shared_ptr<const PaintedPairs> like;  ///< null: none
  std::vector<int> like_place;               ///< by joint, see painted_joints()
  JointGroups groups;                        ///< none with `like` or without names
};

/// The network is `options.network` or the built-in one; WeightRule::heat uses none.
FittedRules fitted_rules(const CharacterDistances& distances, const WeightRules& rules,
                         std::span<const Joint> joints, const BindOptions& options);

/// Scores of the network, or logarithms of heat, independent of the falloff.
struct PairScores {
  std::vector<std::uint32_t> first = {0};  ///< pairs of point p: first[p] .. first[p + 1]
  std::vector<std::uint32_t> joint;
  std::vector<float> score;
  std::vector<double> nearest;  ///< by point, as in PointPairs
  bool of_heat = false;         ///< min_fitted_weight is not subtracted
  std::vector<bool> grouped;    ///< by component: JointGroups::components
};

PairScores vertex_scores(const CharacterDistances& distances, const WeightRules& rules,
                         const FittedRules& fitted);

/// Of arbitrary lattice points; each uses the component, normal and side of its nearest vertex.
PairScores point_scores(const CharacterDistances& distances, const WeightRules& rules,
                        const FittedRules& fitted, std::span<const Eigen::Vector3i> points,
                        std::span<const std::uint32_t> nearest);

}  // namespace gvbind
