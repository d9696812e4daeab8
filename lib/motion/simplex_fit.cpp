#include "motion/simplex_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace gvbind::motion {

namespace {

constexpr double ridge = 1e-10;  ///< relative to the mean of the diagonal, which is one

/// The minimum over the free entries only, of any sign, that sum to one: the last is eliminated as
/// one minus the others.
ShortVector minimum_of_free(const SquareMatrix& g, const ShortVector& b, unsigned free) {
  int index[max_candidates];
  int count = 0;
  for (int i = 0; i < g.rows(); ++i)
    if (free >> i & 1u) index[count++] = i;
  const int last = index[--count];
  SquareMatrix reduced(count, count);
  ShortVector right(count);
  for (int i = 0; i < count; ++i) {
    const int x = index[i];
    for (int k = 0; k < count; ++k)
      reduced(i, k) = g(x, index[k]) - g(x, last) - g(last, index[k]) + g(last, last);
    reduced(i, i) += ridge;
    right(i) = b(x) - b(last) - g(x, last) + g(last, last);
  }
  const ShortVector solved = reduced.ldlt().solve(right);
  ShortVector w = ShortVector::Zero(g.rows());
  for (int i = 0; i < count; ++i) w(index[i]) = solved(i);
  w(last) = 1.0 - solved.sum();
  return w;
}

/// Of the entries fixed at zero, the one whose growth reduces the objective most; -1: none.
int entry_to_free(const SquareMatrix& g, const ShortVector& b, const ShortVector& w,
                  unsigned free) {
  const ShortVector slope = g * w - b;
  const double level = slope.dot(w);  // equal for all free entries at their minimum
  const double tolerance = 1e-10 * (g.trace() + b.cwiseAbs().sum());
  int best = -1;
  for (int i = 0; i < g.rows(); ++i)
    if (!(free >> i & 1u) && slope(i) < level - tolerance && (best < 0 || slope(i) < slope(best)))
      best = i;
  return best;
}

}  // namespace

ShortVector fit_shares(const SquareMatrix& sums, const ShortVector& right,
                       const ShortVector& start) {
  const double scale = sums.trace() / static_cast<double>(std::max<Eigen::Index>(1, sums.rows()));
  if (!(scale > 0.0)) return start;
  const SquareMatrix g = sums / scale;
  const ShortVector b = right / scale;
  ShortVector w = start;
  unsigned free = 0;
  for (int i = 0; i < g.rows(); ++i)
    if (w(i) > 0.0) free |= 1u << i;
  if (free == 0 || !g.allFinite() || !b.allFinite()) return start;
  for (int step = 0; step < 4 * max_candidates; ++step) {
    const ShortVector goal = minimum_of_free(g, b, free);
    if (!goal.allFinite()) return w;
    // Moves toward the goal until the first weight reaches zero; that entry is then fixed.
    double part = 1.0;
    int meets = -1;
    for (int i = 0; i < g.rows(); ++i)
      if (goal(i) < 0.0 && w(i) / (w(i) - goal(i)) < part)
        part = w(i) / (w(i) - goal(i)), meets = i;
    w += part * (goal - w);
    if (meets >= 0) {
      w(meets) = 0.0;
      free &= ~(1u << meets);
      continue;
    }
    const int next = entry_to_free(g, b, w, free);
    if (next < 0) break;
    free |= 1u << next;
  }
  w = w.cwiseMax(0.0);
  return w / w.sum();
}

}  // namespace gvbind::motion
