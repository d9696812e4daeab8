#include "assets/fbx/curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "gvbind/error.h"

namespace gvbind {
namespace {

// KeyAttrFlags.
constexpr std::int32_t constant_flag = 0x2, cubic_flag = 0x8;
constexpr std::int32_t next_flag = 0x100, tcb_flag = 0x200;
constexpr std::int32_t right_weighted = 0x1000000, next_left_weighted = 0x2000000;
constexpr double weight_scale = 9999.0;

/// Two weights in the bits of one float, as binary files have them; text has the integer itself.
std::uint32_t weight_bits(double value) {
  if (value > 1e6 && value == std::floor(value) && value < 4294967296.0)
    return static_cast<std::uint32_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

double sound_weight(double weight) { return weight > 0.0 && weight <= 1.0 ? weight : 1.0 / 3.0; }

FbxCurve::Span span_of(std::int32_t flags, const double* data) {
  FbxCurve::Span span;
  if (flags & constant_flag) {
    span.kind = flags & next_flag ? FbxCurve::Kind::next : FbxCurve::Kind::constant;
    return span;
  }
  // Tension, continuity and bias stand where slopes do elsewhere: such spans go straight.
  if (!(flags & cubic_flag) || (flags & tcb_flag)) return span;
  if (!std::isfinite(data[0]) || !std::isfinite(data[1])) return span;
  span.kind = FbxCurve::Kind::cubic;
  span.right_slope = data[0];
  span.left_slope = data[1];
  const std::uint32_t bits = weight_bits(data[2]);
  if (flags & right_weighted) span.right_weight = sound_weight((bits & 0xffff) / weight_scale);
  if (flags & next_left_weighted) span.left_weight = sound_weight((bits >> 16) / weight_scale);
  return span;
}

/// Attributes are kept once for as many keys as a count says.
void read_spans(const FbxNode& node, FbxCurve& curve) {
  const FbxNode *flags = find_child(node, "KeyAttrFlags"),
                *data = find_child(node, "KeyAttrDataFloat"),
                *counts = find_child(node, "KeyAttrRefCount");
  if (!flags || !data || !counts) return;
  const std::vector<std::int32_t> f = integers_of(*flags), n = integers_of(*counts);
  const std::vector<double> d = doubles_of(*data);
  std::size_t key = 0;
  for (std::size_t i = 0; i < f.size() && i < n.size() && 4 * i + 4 <= d.size(); ++i)
    for (std::int32_t k = 0; k < n[i] && key < curve.spans.size(); ++k)
      curve.spans[key++] = span_of(f[i], d.data() + 4 * i);
}

double bezier(double a, double b, double c, double d, double u) {
  const double v = 1.0 - u;
  return v * v * v * a + 3.0 * v * v * u * b + 3.0 * v * u * u * c + u * u * u * d;
}

/// The parameter at which a span with weighted tangents has come as far as `x` of its length.
double parameter_at(const FbxCurve::Span& span, double x) {
  if (span.right_weight == 1.0 / 3.0 && span.left_weight == 1.0 / 3.0) return x;
  double low = 0.0, high = 1.0;
  for (int step = 0; step < 50; ++step) {
    const double middle = 0.5 * (low + high);
    (bezier(0.0, span.right_weight, 1.0 - span.left_weight, 1.0, middle) < x ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

FbxCurve read_curve(const FbxNode& node) {
  FbxCurve curve;
  const FbxNode *times = find_child(node, "KeyTime"), *values = find_child(node, "KeyValueFloat");
  if (times) curve.times = doubles_of(*times);
  if (values) curve.values = doubles_of(*values);
  if (curve.times.empty() || curve.times.size() != curve.values.size())
    throw Error(ErrorKind::input, "an AnimationCurve has " + std::to_string(curve.times.size()) +
                                      " times and " + std::to_string(curve.values.size()) +
                                      " values");
  for (double& time : curve.times) time /= fbx_ticks_per_second;
  curve.spans.resize(curve.times.size());
  read_spans(node, curve);
  return curve;
}

double curve_value(const FbxCurve& curve, double seconds) {
  const std::vector<double>&t = curve.times, &v = curve.values;
  const auto after = std::upper_bound(t.begin(), t.end(), seconds);
  if (after == t.begin()) return v.front();
  const auto k = static_cast<std::size_t>(after - t.begin()) - 1;
  if (after == t.end() || !(*after > t[k])) return v[k];
  const FbxCurve::Span& span = curve.spans[k];
  const double length = *after - t[k], x = (seconds - t[k]) / length;
  switch (span.kind) {
    case FbxCurve::Kind::constant:
      return v[k];
    case FbxCurve::Kind::next:
      return v[k + 1];
    case FbxCurve::Kind::linear:
      return v[k] + x * (v[k + 1] - v[k]);
    case FbxCurve::Kind::cubic:
      break;
  }
  return bezier(v[k], v[k] + span.right_slope * length * span.right_weight,
                v[k + 1] - span.left_slope * length * span.left_weight, v[k + 1],
                parameter_at(span, x));
}

}  // namespace gvbind
