#pragma once

// Tested by tests/unit/fit/like_test.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gvbind/fitted/pair_features.h"
#include "gvbind/joint.h"

namespace gvbind {

/// Pairs of finished characters, and by how much their artist's shares differ from the networks'.
/// A pair of another character gets the mean difference of the pairs of its joint, weighted by
/// exp(-d^2) of the distance between their point features.
struct PaintedPairs {
  /// The pairs of one joint, in blocks of pair_block: feature by feature, the numbers of the block.
  struct OfJoint {
    std::string key;           ///< as joint_key() gives it
    std::vector<float> point;  ///< scaled, point_number_count per pair; padded with far points
    std::vector<float>
        difference;  ///< artist's share less the networks', by pair; padded with zeros
  };
  /// A skeleton whose joints the pairs belong to.
  struct Skeleton {
    std::vector<Joint> joints;
    std::vector<int> place;  ///< by joint, in `joints` of the pairs, or -1
  };
  std::vector<OfJoint> joints;      ///< ascending by key
  std::vector<Skeleton> skeletons;  ///< of the finished characters
  std::vector<float> scale;         ///< of each of the point_number_count features
  float prior = 0.3f;               ///< weight of the networks, in pairs at distance 0; above 0
};

constexpr std::size_t pair_block = 8;

/// joint_keys() of the joints' names.
std::vector<std::string> keys_of(std::span<const Joint> joints);

/// The place of a key in `painted.joints`, or -1.
int place_of_key(const PaintedPairs& painted, std::string_view key);

/// By joint, the place in `painted.joints`, or -1. Joints are found by their key; others by their
/// place in the skeleton of the finished character with which most joints are in common: a root
/// beside its only root, and a child in the direction of a child of the parent's partner. Places
/// count only if at least half of the joints are found.
std::vector<int> painted_joints(const PaintedPairs& painted, std::span<const Joint> joints);

/// Corrects the scores of one vertex's pairs: adds each joint's mean difference to the networks'
/// share and takes the logarithm.
/// `features`: pair_feature_count per pair. `place`: by pair, in `painted.joints`, or -1. The bits
/// depend on the arguments only.
void correct_scores(const PaintedPairs& painted, std::span<const float> features,
                    std::span<const int> place, std::span<float> scores);

}  // namespace gvbind
