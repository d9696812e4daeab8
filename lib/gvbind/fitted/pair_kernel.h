#pragma once

// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include <cstddef>

namespace gvbind {

/// A vertex's pairs and a network in the layout of the kernels. Rows of pairs are zero-padded to
/// pair_tile, features and hidden units to lane_tile; matrices have one row of hidden units per
/// input.
struct PairKernelInput {
  std::size_t pairs, features, hidden;  ///< features and hidden: padded
  const float* x;                       ///< pairs by features, normalized
  const float* pool;                    ///< by pair: weight in the mean
  const float *first, *first_bias, *second, *second_bias;
  const float *own, *near, *most, *third_bias, *last, *linear;
  float* scores;
};

constexpr std::size_t pair_tile = 4;
constexpr std::size_t lane_tile = 8;

void score_pairs_base(const PairKernelInput& input);
void score_pairs_avx2(const PairKernelInput& input);

}  // namespace gvbind
