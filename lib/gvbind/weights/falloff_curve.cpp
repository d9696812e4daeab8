#include "gvbind/weights/falloff_curve.h"

#include <algorithm>

#include "gvbind/base/portable_pow.h"

namespace gvbind {

namespace {

/// The note measures in sides of the box; the cube is larger by its margins.
constexpr double boxes_per_cube =
    static_cast<double>(lattice_size) / (lattice_size - 2 * lattice_margin);

/// Square root of the note's denominator.
double note_root(double distance, double alpha) {
  const double d = distance * boxes_per_cube;
  return (1.0 - alpha) * d + alpha * d * d;
}

}  // namespace

FalloffCurve::FalloffCurve(const Falloff& falloff) : rule_(falloff.rule), alpha_(falloff.alpha) {
  for (const JointAlpha& own : falloff.joint_alphas)
    for (const std::uint32_t joint : own.joints) {
      of_joint_.resize(std::max<std::size_t>(of_joint_.size(), std::size_t{joint} + 1), -1.0);
      of_joint_[joint] = own.alpha;
    }
}

double FalloffCurve::alpha(std::uint32_t joint) const {
  const bool is_own = joint < of_joint_.size() && of_joint_[joint] >= 0.0;
  return is_own ? of_joint_[joint] : alpha_;
}

double FalloffCurve::share(double distance, double nearest, std::uint32_t joint) const {
  const double far = std::max(min_distance, distance), near = std::max(min_distance, nearest);
  if (rule_ == FalloffRule::paper) return portable_pow(far / near, -lambda_of(alpha(joint)));
  const double root = note_root(near, alpha(joint)) / note_root(far, alpha(joint));
  return root * root;
}

}  // namespace gvbind
