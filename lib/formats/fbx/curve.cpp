#include "formats/fbx/curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "formats/fbx/curve_tangents.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr double weight_scale = 9999.0, least_weight = 1e-4;

/// A number of KeyAttrDataFloat. In text, newer writers store the float's bits as an integer.
/// Slopes above eight million are not expected, so larger numbers are bits.
double float_of(double value, bool integers) {
  constexpr double least_bits = 8388608.0;  // of a normal float
  if (!integers || std::abs(value) < least_bits || std::abs(value) > 4294967295.0) return value;
  const auto bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  return static_cast<double>(std::bit_cast<float>(bits));
}

/// Two weights packed into the bits of one float, or into an integer.
std::uint32_t weight_bits(double value, bool integers) {
  if ((integers || value > 1e6) && value == std::floor(value) && std::abs(value) < 4294967296.0)
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

double sound_weight(std::uint32_t stored) {
  return std::clamp(stored / weight_scale, least_weight, 1.0);
}

bool has_integers(const FbxNode& node) {
  return std::ranges::all_of(node.properties, [](const FbxProperty& p) {
    if (p.type == 'a' || p.type == 'n')
      return p.data.find_first_not_of("+-0123456789, \t\r\n") == p.data.npos;
    return p.type == 'i' || p.type == 'l' || p.type == 'I' || p.type == 'L';
  });
}

FbxKeyAttributes attributes_of(std::int32_t flags, const double* data, bool integers) {
  FbxKeyAttributes out;
  out.flags = flags;
  out.right = float_of(data[0], integers);
  out.next_left = float_of(data[1], integers);
  out.third = float_of(data[2], integers);
  const std::uint32_t bits = weight_bits(data[2], integers);
  if (flags & fbx_key::right_weighted) out.right_weight = sound_weight(bits & 0xffff);
  if (flags & fbx_key::next_left_weighted) out.next_left_weight = sound_weight(bits >> 16);
  return out;
}

/// The file stores each set of attributes once, with the number of keys that use it.
std::vector<FbxKeyAttributes> read_attributes(const FbxNode& node, std::size_t keys) {
  std::vector<FbxKeyAttributes> out(keys);
  const FbxNode *flags = find_child(node, "KeyAttrFlags"),
                *data = find_child(node, "KeyAttrDataFloat"),
                *counts = find_child(node, "KeyAttrRefCount");
  if (!flags || !data || !counts) return out;
  const std::vector<std::int32_t> f = integers_of(*flags), n = integers_of(*counts);
  const std::vector<double> d = doubles_of(*data);
  const bool integers = has_integers(*data);
  std::size_t key = 0;
  for (std::size_t i = 0; i < f.size() && i < n.size() && 4 * i + 4 <= d.size(); ++i)
    for (std::int32_t k = 0; k < n[i] && key < keys; ++k)
      out[key++] = attributes_of(f[i], d.data() + 4 * i, integers);
  return out;
}

FbxCurve::End read_end(const FbxNode& curve, std::string_view name) {
  FbxCurve::End out;
  const FbxNode* node = find_child(curve, name);
  const FbxNode* type = node ? find_child(*node, "Type") : nullptr;
  if (!type || type->properties.empty()) return out;
  const FbxProperty& value = type->properties[0];
  const bool is_word = value.type == 'n' && !value.data.empty();
  switch (is_word ? value.data[0] : static_cast<char>(integer_of(value).value_or('C'))) {
    case 'K':
      out.beyond = FbxCurve::Beyond::slope;
      break;
    case 'R':
      out.beyond = FbxCurve::Beyond::repeat;
      break;
    case 'M':
      out.beyond = FbxCurve::Beyond::mirror;
      break;
    case 'A':
      out.beyond = FbxCurve::Beyond::offset;
      break;
    default:
      break;
  }
  const FbxNode* count = find_child(*node, "Repetition");
  if (count && !count->properties.empty())
    out.count = integer_of(count->properties[0]).value_or(-1);
  return out;
}

double bezier(double a, double b, double c, double d, double u) {
  const double v = 1.0 - u;
  return v * v * v * a + 3.0 * v * v * u * b + 3.0 * v * u * u * c + u * u * u * d;
}

/// The parameter at which a span with weighted tangents reaches `x` of its length.
double parameter_at(const FbxCurve::Span& span, double x) {
  if (span.right_weight == 1.0 / 3.0 && span.left_weight == 1.0 / 3.0) return x;
  double low = 0.0, high = 1.0;
  for (int step = 0; step < 50; ++step) {
    const double middle = 0.5 * (low + high);
    (bezier(0.0, span.right_weight, 1.0 - span.left_weight, 1.0, middle) < x ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Constant before the first and after the last key.
double value_within(const FbxCurve& curve, double seconds) {
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

double ticks(const FbxCurve& curve, double seconds) {
  return std::round(seconds * curve.ticks_per_second);
}

double slope_beyond(const FbxCurve& curve, bool is_before) {
  return is_before ? curve.spans.front().right_slope
                   : curve.spans[curve.spans.size() - 2].left_slope;
}

bool repeats(const FbxCurve::End& end) {
  return end.count != 0 && end.beyond != FbxCurve::Beyond::hold &&
         end.beyond != FbxCurve::Beyond::slope;
}

/// For a curve with two keys or more, before the first or after the last.
double value_beyond(const FbxCurve& curve, double seconds) {
  const double first = ticks(curve, curve.times.front()), last = ticks(curve, curve.times.back());
  const bool is_before = seconds < curve.times.front();
  const FbxCurve::End& end = is_before ? curve.before : curve.after;
  const double edge = is_before ? curve.values.front() : curve.values.back();
  const double length = last - first;
  const double at_time = ticks(curve, seconds);
  const double away = is_before ? first - at_time : at_time - last;
  if (end.beyond == FbxCurve::Beyond::slope)
    return edge +
           (is_before ? -away : away) / curve.ticks_per_second * slope_beyond(curve, is_before);
  if (!repeats(end) || !(length >= 1.0)) return edge;
  double turn = std::floor(away / length), at = away - turn * length;
  if (end.count > 0 && turn >= static_cast<double>(end.count)) {
    turn = static_cast<double>(end.count) - 1.0;
    at = length;
  }
  const bool runs_back = end.beyond == FbxCurve::Beyond::mirror && std::fmod(turn, 2.0) == 0.0;
  if (runs_back != is_before) at = length - at;
  const double value = value_within(curve, (first + at) / curve.ticks_per_second);
  if (end.beyond != FbxCurve::Beyond::offset) return value;
  const double rise = curve.values.back() - curve.values.front();
  return value + (is_before ? -rise : rise) * (turn + 1.0);
}

/// The number of repetitions needed to reach `seconds`: negative before the first key.
double turns_until(const FbxCurve& curve, double seconds) {
  const double length = curve.times.back() - curve.times.front();
  const bool is_before = seconds < curve.times.front();
  const FbxCurve::End& end = is_before ? curve.before : curve.after;
  if (!(length > 0.0) || !repeats(end)) return 0.0;
  if (!is_before && seconds <= curve.times.back()) return 0.0;
  const double turns = is_before ? std::floor((seconds - curve.times.front()) / length)
                                 : std::ceil((seconds - curve.times.back()) / length);
  const double most = end.count > 0 ? static_cast<double>(end.count) : std::abs(turns);
  return std::clamp(turns, -most, most);
}

bool jumps_at(const FbxCurve& curve, std::size_t key) {
  const FbxCurve::Kind before = curve.spans[key > 0 ? key - 1 : 0].kind;
  return (key > 0 && before == FbxCurve::Kind::constant) ||
         curve.spans[key].kind == FbxCurve::Kind::next;
}

/// Keeps finite keys in order of time, with their attributes.
void leave_out_bad_keys(FbxCurve& curve, std::vector<FbxKeyAttributes>& keys) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < curve.times.size(); ++k) {
    const bool is_sound = std::isfinite(curve.times[k]) && std::isfinite(curve.values[k]) &&
                          (kept == 0 || curve.times[k] >= curve.times[kept - 1]);
    if (!is_sound) continue;
    curve.times[kept] = curve.times[k];
    curve.values[kept] = curve.values[k];
    keys[kept++] = keys[k];
  }
  curve.left_out = curve.times.size() - kept;
  curve.times.resize(kept);
  curve.values.resize(kept);
  keys.resize(kept);
}

}  // namespace

FbxCurve read_curve(const FbxNode& node, double ticks) {
  FbxCurve curve;
  curve.ticks_per_second = ticks;
  const FbxNode *times = find_child(node, "KeyTime"), *values = find_child(node, "KeyValueFloat");
  if (times) curve.times = doubles_of(*times);
  if (values) curve.values = doubles_of(*values);
  if (curve.times.empty() || curve.times.size() != curve.values.size())
    throw Error(ErrorKind::input, "an AnimationCurve has " + std::to_string(curve.times.size()) +
                                      " times and " + std::to_string(curve.values.size()) +
                                      " values");
  for (double& time : curve.times) time /= ticks;
  std::vector<FbxKeyAttributes> keys = read_attributes(node, curve.times.size());
  leave_out_bad_keys(curve, keys);
  if (keys.empty()) throw Error(ErrorKind::input, "an AnimationCurve has no key that is finite");
  curve.spans = solve_spans(curve, keys);
  curve.before = read_end(node, "Pre-Extrapolation");
  curve.after = read_end(node, "Post-Extrapolation");
  return curve;
}

double curve_value(const FbxCurve& curve, double seconds) {
  const bool is_beyond = seconds < curve.times.front() || seconds > curve.times.back();
  return is_beyond && curve.times.size() > 1 ? value_beyond(curve, seconds)
                                             : value_within(curve, seconds);
}

std::vector<FbxCurveBreak> curve_breaks(const FbxCurve& curve, double begin, double end,
                                        std::size_t most) {
  std::vector<FbxCurveBreak> out;
  const double first = curve.times.front(), last = curve.times.back(), length = last - first;
  const double until = turns_until(curve, end);
  for (double turn = turns_until(curve, begin); turn <= until; turn += 1.0) {
    const FbxCurve::Beyond beyond = (turn < 0.0 ? curve.before : curve.after).beyond;
    const bool runs_back = beyond == FbxCurve::Beyond::mirror && std::fmod(turn, 2.0) != 0.0;
    const bool wraps = beyond == FbxCurve::Beyond::repeat && turn != 0.0;
    for (std::size_t k = 0; k < curve.times.size(); ++k) {
      const double time = runs_back ? first + last - curve.times[k] : curve.times[k];
      const double seconds = time + turn * length;
      if (seconds < begin || seconds > end) continue;
      if (out.size() == most) return out;
      const bool is_edge = k == 0 || k + 1 == curve.times.size();
      out.push_back({seconds, jumps_at(curve, k) || (wraps && is_edge)});
    }
  }
  return out;
}

bool is_stepped(const FbxCurve& curve) {
  const auto stepped = [](const FbxCurve::Span& span) {
    return span.kind == FbxCurve::Kind::constant || span.kind == FbxCurve::Kind::next;
  };
  return std::all_of(curve.spans.begin(), curve.spans.end() - 1, stepped);
}

}  // namespace gvbind
