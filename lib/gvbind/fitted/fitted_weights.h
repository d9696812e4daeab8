#pragma once

#include <span>

#include "gvbind/fitted/pair_scores.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

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
