#pragma once

// Tested by tests/unit/fit/network_training_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "gvbind/fitted/pair_network.h"

namespace gvbind::fit {

/// Vertices scored together. Every vertex has max_pairs columns: its `count` pairs, then zeros.
struct PairBatch {
  Eigen::MatrixXf x;       ///< features by columns, normalized
  Eigen::MatrixXf pool;    ///< max_pairs by vertices: weight of each pair in the mean
  Eigen::MatrixXf own;     ///< max_pairs by vertices: target weights
  std::vector<int> count;  ///< by vertex: number of pairs
};

/// Distance between a vertex's shares and its own weights.
struct PairLoss {
  float cross_entropy = 0.1f;  ///< factor of the cross entropy, added to the L1 distance
};

/// The shares of all pairs, max_pairs by vertices. Adds the gradient of the batch's mean loss to
/// `gradient` (except for mean and scale, which are constant) and returns that loss in `loss`.
Eigen::MatrixXf add_gradient(const PairNetwork& network, const PairBatch& batch,
                             const PairLoss& kind, PairNetwork& gradient, double& loss);

}  // namespace gvbind::fit
