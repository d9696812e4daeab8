#pragma once

// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include <cstddef>

namespace gvbind {

/// A vertex's pairs and a network in the layout of the kernels. Rows of pairs are zero-padded to
/// pair_tile, their length to lane_tile; matrices have one row of hidden units per input.
struct PairKernelInput {
  std::size_t pairs, hidden;  ///< hidden: padded
  std::size_t features;       ///< of a pair, not padded
  const float* x;             ///< pairs by padded features, normalized
  std::size_t point_features;
  const float* point_x;                 ///< features that all pairs share, normalized
  const float *first, *first_of_point;  ///< of the first layer, by feature
  const float* const* start;            ///< by pair: the first layer's sum over all else
  const float* score_start;             ///< by pair: likewise of the score
  const float* pool;                    ///< by pair: weight in the mean
  const float *second, *second_bias;
  const float *own, *near, *most, *third_bias, *last, *linear;
  float* scores;
};

constexpr std::size_t pair_tile = 4;
constexpr std::size_t lane_tile = 8;

void score_pairs_base(const PairKernelInput& input);
void score_pairs_avx2(const PairKernelInput& input);
void score_pairs_avx512(const PairKernelInput& input);

}  // namespace gvbind
