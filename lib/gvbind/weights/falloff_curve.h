#pragma once

#include <cstdint>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Equation 8's range.
constexpr double min_lambda = 5.0, max_lambda = 30.0;
/// d_tol of equation 9, in cube sides: one lattice step.
constexpr double min_distance = 1.0 / lattice_size;

/// Equation 8: the power of distances. `alpha`: 0 to 1.
constexpr double lambda_of(double alpha) { return (1.0 - alpha) * min_lambda + alpha * max_lambda; }

/// LimitRule::smooth: what every share of a point loses, where the largest share that is left out
/// is `left_out`. Not all of it where the largest is hardly larger: something has to remain.
constexpr double share_lost(double left_out, double largest) {
  constexpr double most = 0.9;
  return left_out < most * largest ? left_out : most * largest;
}

/// What joints own by their distances, before the shares of a point are scaled to sum to one.
class FalloffCurve {
 public:
  explicit FalloffCurve(const Falloff& falloff);

  /// What a joint at `distance` owns, relative to what it would own at the distance of the point's
  /// nearest joint: f(distance) / f(nearest), with f(d) = d^-lambda (equations 8 and 9), or the
  /// design note's f(d) = 1 / ((1 - alpha) d + alpha d^2)^2. Being relative, joints of different
  /// alphas own the same where they are equally far. Distances in cube sides; less than
  /// min_distance counts as that.
  double share(double distance, double nearest, std::uint32_t joint) const;

  double alpha(std::uint32_t joint) const;
  FalloffRule rule() const { return rule_; }
  /// Whether all joints have one alpha, so that a nearer joint never owns less.
  bool is_uniform() const { return of_joint_.empty(); }

 private:
  FalloffRule rule_;
  double alpha_;
  std::vector<double> of_joint_;  ///< -1: alpha_. Empty, or as far as some joint has its own
};

}  // namespace gvbind
