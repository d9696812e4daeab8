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

/// Equation 8: the exponent of distances. `alpha`: 0 to 1.
constexpr double lambda_of(double alpha) { return (1.0 - alpha) * min_lambda + alpha * max_lambda; }

/// LimitRule::smooth: subtracted from every share of a point; `left_out` is the largest dropped
/// share. Less than that if the largest share is hardly larger, so that something remains.
constexpr double share_lost(double left_out, double largest) {
  constexpr double most = 0.9;
  return left_out < most * largest ? left_out : most * largest;
}

/// Shares of joints by distance, before normalization.
class FalloffCurve {
 public:
  explicit FalloffCurve(const Falloff& falloff);

  /// The share of a joint at `distance` relative to its share at the distance of the point's
  /// nearest joint: f(distance) / f(nearest), with f(d) = d^-lambda (equations 8 and 9), or the
  /// design note's f(d) = 1 / ((1 - alpha) d + alpha d^2)^2. Being relative, joints with different
  /// alphas have equal shares at equal distances. Distances in cube sides, at least min_distance.
  double share(double distance, double nearest, std::uint32_t joint) const;

  double alpha(std::uint32_t joint) const;
  FalloffRule rule() const { return rule_; }
  /// Whether all joints have the same alpha, so that a nearer joint never has less weight.
  bool is_uniform() const { return of_joint_.empty(); }

 private:
  FalloffRule rule_;
  double alpha_;
  std::vector<double> of_joint_;  ///< by joint, -1: alpha_; only as long as needed
};

}  // namespace gvbind
