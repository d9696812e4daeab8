#include "formats/fbx/curve_tangents.h"

#include <algorithm>
#include <cmath>

namespace gvbind {
namespace {

/// The distance from a key to a neighbor; length 0 if there is none.
struct Side {
  double length = 0.0, rise = 0.0;
  double weight = 1.0 / 3.0;  ///< of the key's tangent on this side
  bool exists() const { return length > 0.0; }
  double slope() const { return exists() ? rise / length : 0.0; }
};

struct Slopes {
  double left = 0.0, right = 0.0;
};

/// The part of a bias beyond 500 percent, which acts independently of the neighbors.
double absolute_pull(double bias) {
  const double excess = std::max(std::abs(bias) / 100.0 - 5.0, 0.0);
  return 40.0 * excess * excess;
}

double biased_slope(double slope, const Side& left, const Side& right, double bias) {
  const double share = std::abs(bias) / 100.0;
  if (share <= 1e-4) return slope;
  const double toward = bias > 0.0 ? right.slope() : left.slope(), change = toward - slope;
  const double direction = std::abs(change) > 1e-5 ? change : bias;
  return slope + share * change + std::copysign(absolute_pull(bias), direction);
}

/// Limits the slope so that the control points of both sides stay between the key's value and the
/// neighbor's.
double without_overshoot(double slope, const Side& left, const Side& right) {
  const double sign = slope < 0.0 ? -1.0 : 1.0;
  double size = std::abs(slope);
  for (const Side& side : {left, right}) {
    const double range = side.weight * side.length;
    size = std::min(size, range > 0.0 ? std::max(sign * side.rise / range, 0.0) : 0.0);
  }
  return sign * size;
}

double automatic_slope(const Side& left, const Side& right, double bias, std::int32_t flags) {
  if (flags & fbx_key::clamp)
    for (const Side& side : {left, right})
      if (side.exists() && side.rise == 0.0) return 0.0;
  const bool reads_bias = !(flags & fbx_key::time_independent);
  if (!left.exists() || !right.exists()) {
    if (flags & fbx_key::clamp_progressive) return 0.0;
    const Side& side = left.exists() ? left : right;
    const double pull = reads_bias && side.exists() ? absolute_pull(bias) : 0.0;
    return side.slope() + std::copysign(pull, bias);
  }
  const double length = left.length + right.length;
  double slope = (left.rise + right.rise) / length;
  if (reads_bias) {
    const double near = (left.slope() * right.length + right.slope() * left.length) / length;
    slope = biased_slope(0.5 * (slope + near), left, right, bias);
  }
  return flags & fbx_key::clamp_progressive ? without_overshoot(slope, left, right) : slope;
}

Slopes tcb_slopes(const Side& left, const Side& right, const FbxKeyAttributes& key) {
  const double factor = left.exists() && right.exists() ? 0.5 : 1.0;
  const double tension = factor * (1.0 - key.right), continuity = key.next_left, bias = key.third;
  const double before = tension * (1.0 + bias) * left.slope();
  const double after = tension * (1.0 - bias) * right.slope();
  return {before * (1.0 - continuity) + after * (1.0 + continuity),
          before * (1.0 + continuity) + after * (1.0 - continuity)};
}

bool is_cubic(std::int32_t flags) {
  return !(flags & fbx_key::constant) && (flags & fbx_key::cubic);
}

/// Whether the attributes are tangents; constant, linear and TCB keys have none.
bool keeps_tangents(const FbxKeyAttributes& key) {
  return is_cubic(key.flags) && !(key.flags & fbx_key::tcb);
}

Slopes slopes_of(const FbxKeyAttributes* previous, const FbxKeyAttributes& key, const Side& left,
                 const Side& right) {
  const bool stored = previous && keeps_tangents(*previous);
  const Slopes kept = {stored ? previous->next_left : 0.0, key.right};
  if (!is_cubic(key.flags)) return {kept.left, 0.0};
  if (key.flags & fbx_key::tcb) return tcb_slopes(left, right, key);
  if (key.flags & fbx_key::user) return kept;
  return {automatic_slope(left, right, -kept.left, key.flags),
          automatic_slope(left, right, kept.right, key.flags)};
}

FbxCurve::Kind kind_of(std::int32_t flags) {
  if (flags & fbx_key::constant)
    return flags & fbx_key::next ? FbxCurve::Kind::next : FbxCurve::Kind::constant;
  return is_cubic(flags) ? FbxCurve::Kind::cubic : FbxCurve::Kind::linear;
}

}  // namespace

std::vector<FbxCurve::Span> solve_spans(const FbxCurve& curve,
                                        const std::vector<FbxKeyAttributes>& keys) {
  const std::size_t count = keys.size();
  std::vector<FbxCurve::Span> spans(count);
  Side left;
  for (std::size_t k = 0; k < count; ++k) {
    Side right;
    if (k + 1 < count) {
      right.length = curve.times[k + 1] - curve.times[k];
      right.rise = curve.values[k + 1] - curve.values[k];
    }
    if (keeps_tangents(keys[k])) right.weight = keys[k].right_weight;
    const Slopes slopes = slopes_of(k > 0 ? &keys[k - 1] : nullptr, keys[k], left, right);
    if (k > 0 && spans[k - 1].kind == FbxCurve::Kind::cubic) spans[k - 1].left_slope = slopes.left;
    FbxCurve::Span& span = spans[k];
    span.kind = kind_of(keys[k].flags);
    if (span.kind == FbxCurve::Kind::linear) span.right_slope = span.left_slope = right.slope();
    if (span.kind == FbxCurve::Kind::cubic) span.right_slope = slopes.right;
    left = {right.length, right.rise};
    if (!keeps_tangents(keys[k])) continue;
    span.right_weight = keys[k].right_weight;
    span.left_weight = left.weight = keys[k].next_left_weight;
  }
  for (FbxCurve::Span& span : spans)
    if (!std::isfinite(span.right_slope) || !std::isfinite(span.left_slope)) span = {};
  return spans;
}

}  // namespace gvbind
