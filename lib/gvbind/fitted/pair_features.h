#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/fitted/candidate_field.h"
#include "gvbind/fitted/joint_traits.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

constexpr std::size_t pair_feature_count = 79;

struct VertexPairs {
  std::vector<std::uint32_t> joint;  ///< candidates
  std::vector<float> feature;        ///< pair_feature_count each
};

/// What all vertices share.
class PairFeatures {
 public:
  PairFeatures(const CharacterDistances& distances, const CandidateField& field,
               std::span<const Joint> joints, const WeightRules& rules,
               const CharacterWeights& defaults);
  VertexPairs of(std::uint32_t vertex) const;

 private:
  struct Pair;
  std::vector<Pair> pairs_of(std::uint32_t vertex) const;
  void fill(const Pair& pair, const Pair& nearest, std::uint32_t vertex, float* out) const;
  int hops(std::uint32_t a, std::uint32_t b) const;
  bool is_above(std::uint32_t a, std::uint32_t b) const;

  const CharacterDistances& distances_;
  const CandidateField& field_;
  std::span<const Joint> joints_;
  const WeightRules& rules_;
  const CharacterWeights& defaults_;
  std::vector<JointTraits> traits_;
  std::vector<Eigen::Vector3d> normal_;    ///< of a welded vertex
  std::vector<std::vector<float>> share_;  ///< by component and joint
  std::vector<float> component_share_;
  std::vector<int> component_joints_;
};

}  // namespace gvbind
