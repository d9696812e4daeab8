#pragma once

// Tested by tests/unit/fit/network_training_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "gvbind/fitted/pair_network.h"

namespace gvbind {

/// Vertices to be scored at once. Every vertex has max_pairs columns, of which the first `count`
/// hold its pairs and the others zeros.
struct PairBatch {
  Eigen::MatrixXf x;       ///< features by columns, normalized
  Eigen::MatrixXf pool;    ///< max_pairs by vertices: each pair's part of the mean
  Eigen::MatrixXf own;     ///< max_pairs by vertices: what is to be learned
  std::vector<int> count;  ///< pairs of each vertex
};

/// What a vertex's shares are away from its own weights.
struct PairLoss {
  float cross_entropy = 0.1f;  ///< its factor, beside the L1 distance
};

/// The shares of all pairs, max_pairs by vertices. Adds the gradient of the batch's mean loss to
/// `gradient` (its mean and scale stay as they are), and returns that loss in `loss`.
Eigen::MatrixXf add_gradient(const PairNetwork& network, const PairBatch& batch,
                             const PairLoss& kind, PairNetwork& gradient, double& loss);

}  // namespace gvbind
