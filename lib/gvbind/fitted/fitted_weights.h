#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gvbind/fitted/pair_features.h"
#include "gvbind/fitted/pair_network.h"
#include "gvbind/fitted/surface_heat.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

/// What scores the pairs of a point and its joints: a network, or heat where there is some.
struct FittedRules {
  CharacterWeights falloff;  ///< by distances alone, with the default falloff: what fits begin with
  PairContext context;
  PairScorer scorer;
  std::optional<SurfaceHeat> heat;
};

/// The network is `options.network`, or the one that is built in; WeightRule::heat has none.
FittedRules fitted_rules(const CharacterDistances& distances, const WeightRules& rules,
                         std::span<const Joint> joints, const BindOptions& options);

/// What a network says of points, or the logarithm of their heat, whatever the falloff.
struct PairScores {
  std::vector<std::uint32_t> first = {0};  ///< point p has the pairs first[p] .. first[p + 1]
  std::vector<std::uint32_t> joint;
  std::vector<float> score;
  std::vector<double> nearest;  ///< of each point, as PointPairs has it
};

PairScores vertex_scores(const CharacterDistances& distances, const WeightRules& rules,
                         const FittedRules& fitted);

/// The weights of a character's vertices. With the scores s of a vertex's pairs,
///   w_i = exp(s_i lambda(alpha) / lambda(0.4)) / sum_j exp(s_j lambda(alpha) / lambda(0.4))
/// less min_fitted_weight, over the max_influences largest: alpha acts on fitted weights as it acts
/// on powers of distances (equation 8), and so do alphas of single joints. With another falloff
/// rule the scores are read as distances, d_i = d exp((max_j s_j - s_i) / lambda(0.4)) with d that
/// of the nearest joint. A rigid component follows its joint.
CharacterWeights fitted_weights(const CharacterDistances& distances, const WeightRules& rules,
                                const PairScores& scores, const Falloff& falloff);

/// Weights at points of the lattice, each as weights_of_points() has it: with component, normal and
/// side of the nearest vertex.
SkinWeights fitted_weights_of_points(const CharacterDistances& distances, const WeightRules& rules,
                                     const FittedRules& fitted, const Falloff& falloff,
                                     std::span<const Eigen::Vector3i> points);

/// Taken off every weight before they are scaled to sum to one: riggers paint none as small.
constexpr float min_fitted_weight = 0.01f;

}  // namespace gvbind
