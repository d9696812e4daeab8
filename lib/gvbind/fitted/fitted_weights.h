#pragma once

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

/// Weights of a character's vertices. From the scores s of a vertex's pairs:
///   w_i = exp(s_i lambda(alpha) / lambda(0.4)) / sum_j exp(s_j lambda(alpha) / lambda(0.4)),
/// less min_fitted_weight, over the max_influences largest. So alpha, also of single joints, acts
/// on fitted weights as on powers of distances (equation 8). Other falloff rules read the scores as
/// distances d_i = d exp((max_j s_j - s_i) / lambda(0.4)), d: distance of the nearest joint. Rigid
/// components follow their joint.
CharacterWeights fitted_weights(const CharacterDistances& distances, const WeightRules& rules,
                                const PairScores& scores, const Falloff& falloff);

/// Weights at lattice points, as in weights_of_points(): with component, normal and side of the
/// nearest vertex.
SkinWeights fitted_weights_of_points(const CharacterDistances& distances, const WeightRules& rules,
                                     const FittedRules& fitted, const Falloff& falloff,
                                     std::span<const Eigen::Vector3i> points);

/// Subtracted from all weights of a network before normalization, because riggers paint no smaller
/// ones.
constexpr float min_fitted_weight = 0.01f;

}  // namespace gvbind
