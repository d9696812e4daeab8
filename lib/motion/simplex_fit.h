#pragma once

// Tested by tests/unit/motion/simplex_fit_test.cpp.

#include <Eigen/Core>

namespace gvbind::motion {

constexpr int max_candidates = 8;

using SquareMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_candidates, max_candidates>;
using ShortVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_candidates, 1>;

/// The weights w >= 0 with sum 1 that minimize w^T G w - 2 b^T w, with G `sums`, symmetric positive
/// semidefinite, and b `right`. Exact, by an active-set method. `start`: weights whose support is
/// tried first.
ShortVector fit_shares(const SquareMatrix& sums, const ShortVector& right,
                       const ShortVector& start);

}  // namespace gvbind::motion
