#include "motion/simplex_fit.h"

#include <Eigen/QR>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace gvbind {
namespace {

double value(const motion::SquareMatrix& g, const motion::ShortVector& b,
             const motion::ShortVector& w) {
  return w.dot(g * w) - 2.0 * b.dot(w);
}

/// The minimum over all supports whose solution has no negative weight.
double least_by_support(const motion::SquareMatrix& g, const motion::ShortVector& b) {
  const auto n = static_cast<int>(g.rows());
  double least = HUGE_VAL;
  for (unsigned support = 1; support < 1u << n; ++support) {
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + 1, n + 1);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
    right(n) = 1.0;
    for (int i = 0; i < n; ++i) {
      if (!(support >> i & 1u)) {
        system(i, i) = 1.0;
        continue;
      }
      for (int k = 0; k < n; ++k)
        if (support >> k & 1u) system(i, k) = g(i, k);
      system(i, n) = system(n, i) = 1.0;
      right(i) = b(i);
    }
    const Eigen::VectorXd solved = system.colPivHouseholderQr().solve(right);
    const motion::ShortVector w = solved.head(n);
    if (w.minCoeff() >= -1e-12) least = std::min(least, value(g, b, w));
  }
  return least;
}

TEST_CASE("fitted shares are the best of all supports") {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 300; ++round) {
    const int n = 2 + round % 5;
    // Units from millimeters to hundreds of meters.
    const double scale = std::pow(10.0, round % 7 - 4);
    Eigen::MatrixXd levers(12, n);
    Eigen::VectorXd target(12);
    for (int r = 0; r < 12; ++r) {
      for (int c = 0; c < n; ++c) levers(r, c) = scale * normal(random);
      target(r) = scale * normal(random);
    }
    const motion::SquareMatrix g = levers.transpose() * levers;
    const motion::ShortVector b = levers.transpose() * target;
    const motion::ShortVector start = motion::ShortVector::Constant(n, 1.0 / n);
    const motion::ShortVector w = motion::fit_shares(g, b, start);
    INFO("round " << round);
    CHECK(w.minCoeff() >= 0.0);
    CHECK(w.sum() == Approx(1.0));
    CHECK(value(g, b, w) <= least_by_support(g, b) + 1e-8 * g.trace());
  }
}

TEST_CASE("fitted shares are sound where poses tell nothing") {
  const motion::ShortVector start = motion::ShortVector::Constant(3, 1.0 / 3.0);
  CHECK(motion::fit_shares(motion::SquareMatrix::Zero(3, 3), motion::ShortVector::Zero(3), start) ==
        start);
  // All joints move the vertex by the same amount.
  const motion::SquareMatrix same = motion::SquareMatrix::Constant(3, 3, 5.0);
  const motion::ShortVector w =
      motion::fit_shares(same, motion::ShortVector::Constant(3, 1.0), start);
  CHECK(w.sum() == Approx(1.0));
  CHECK(w.minCoeff() >= 0.0);
  const motion::ShortVector one = motion::ShortVector::Ones(1);
  CHECK(motion::fit_shares(motion::SquareMatrix::Constant(1, 1, 2.0),
                           motion::ShortVector::Constant(1, 9.0), one) == one);
}

}  // namespace
}  // namespace gvbind
