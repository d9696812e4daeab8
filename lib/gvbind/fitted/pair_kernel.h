#pragma once

// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include <cstddef>

namespace gvbind {

/// A vertex's pairs and a network, for a kernel. Rows of pairs are padded to pair_tile with zeros,
/// features and hidden units to lane_tile; matrices have a row of hidden units for each input.
struct PairKernelInput {
  std::size_t pairs, features, hidden;  ///< the latter two padded
  const float* x;                       ///< pairs by features, normalized
  const float* pool;                    ///< of each pair: its part of the mean
  const float *first, *first_bias, *second, *second_bias;
  const float *own, *near, *most, *third_bias, *last, *linear;
  float* scores;
};

constexpr std::size_t pair_tile = 4;
constexpr std::size_t lane_tile = 8;

void score_pairs_base(const PairKernelInput& input);
void score_pairs_avx2(const PairKernelInput& input);

}  // namespace gvbind
