#include "formats/fbx/clip_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace gvbind {
namespace {

constexpr double max_samples = 20000.0;
constexpr double max_node_samples = 8e6;  // of all nodes together: some 80 bytes each
constexpr double same_time = 1e-6;        // seconds
constexpr double finest = 1.0 / 32.0;     // of a frame
/// Fractions of the way between two times: a cubic crosses the straight line in at most one of
/// them.
constexpr std::array looked_at = {0.375, 0.75};

struct ClipSpan {
  double begin = std::numeric_limits<double>::infinity();
  double end = -std::numeric_limits<double>::infinity();
};

void for_each_curve(const FbxStack& stack, const std::function<void(const FbxCurve&)>& visit) {
  for (const FbxAnimationLayer& layer : stack.layers)
    if (layer.percent) visit(*layer.percent);
  for (const auto& [object, properties] : stack.curves)
    for (const auto& [property, curves] : properties)
      for (const FbxLayerCurves& on_layer : curves)
        for (const auto& axis : on_layer.axes)
          if (axis) visit(*axis);
}

/// The stack's own span if it has one, else that of its keys; empty without keys.
ClipSpan span_of(const FbxSource& source, const FbxNode& stack, const FbxStack& curves) {
  ClipSpan out;
  for_each_curve(curves, [&](const FbxCurve& curve) {
    out.begin = std::min(out.begin, curve.times.front());
    out.end = std::max(out.end, curve.times.back());
  });
  if (!(out.end >= out.begin)) return out;
  const auto seconds = [&](const char* name) {
    return number_property(stack, nullptr, name, NAN) / source.objects.ticks_per_second;
  };
  const double begin = seconds("LocalStart"), end = seconds("LocalStop");
  if (!(end > begin) && !std::isfinite(end)) return out;
  const double first = std::isfinite(begin) ? begin : 0.0;
  return end > first ? ClipSpan{first, end} : out;
}

/// A frame that coincides with a key must not come before it.
double on_tick(double seconds, double ticks) { return std::round(seconds * ticks) / ticks; }

std::vector<double> frame_times(const FbxSource& source, const ClipSpan& span) {
  std::vector<double> out;
  const double length = span.end - span.begin;
  if (!(length >= 0.0) || !std::isfinite(length)) return out;
  const auto most = static_cast<double>(most_samples(source));
  const double frames = std::floor(length * source.frame_rate + 1e-6);
  const auto count = static_cast<std::size_t>(std::min(frames, most));
  const double step = frames > most ? length / most : 1.0 / source.frame_rate;
  if (frames > most)
    source.losses.add("clip's frames that are too many", "clips' frames that are too many");
  for (std::size_t i = 0; i <= count; ++i)
    out.push_back(
        on_tick(span.begin + static_cast<double>(i) * step, source.objects.ticks_per_second));
  if (span.end - out.back() > same_time) out.push_back(span.end);
  return out;
}

/// The time between the two sides of a jump, large enough for single precision.
double jump_width(double seconds) { return std::max(1e-5, 2.5e-7 * std::abs(seconds)); }

/// Sorted times. Of nearly equal ones the first is kept, and jumps are kept before all others.
std::vector<double> merged_times(const std::vector<double>& jumps,
                                 const std::vector<double>& others) {
  std::vector<double> out = jumps;
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  const std::vector<double> exact = out;
  for (const double seconds : others) {
    const auto after = std::ranges::lower_bound(exact, seconds - same_time);
    if (after == exact.end() || *after > seconds + same_time) out.push_back(seconds);
  }
  std::ranges::sort(out);
  const auto same = [](double a, double b) { return b - a < same_time; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

}  // namespace

std::size_t most_samples(const FbxSource& source) {
  const auto nodes = static_cast<double>(std::max<std::size_t>(source.models.size(), 1));
  return static_cast<std::size_t>(
      std::min(max_samples, std::floor(max_node_samples / nodes) + 1.0));
}

std::vector<double> clip_times(const FbxSource& source, const FbxObject& stack,
                               const FbxStack& curves) {
  const ClipSpan span = span_of(source, source.node(stack), curves);
  std::vector<double> out = frame_times(source, span), jumps;
  const std::size_t most = most_samples(source);
  if (out.empty() || out.size() >= most) return out;
  const double first = out.front(), last = out.back();
  for_each_curve(curves, [&](const FbxCurve& curve) {
    for (const FbxCurveBreak& found : curve_breaks(curve, first, last, most)) {
      if (!found.jumps) {
        out.push_back(found.seconds);
        continue;
      }
      const double width = jump_width(found.seconds - first);
      for (const double seconds : {found.seconds - width, found.seconds, found.seconds + width})
        if (seconds >= first && seconds <= last) jumps.push_back(seconds);
    }
  });
  out = merged_times(jumps, out);
  if (out.size() <= most) return out;
  source.losses.add("clip's keys that are too many", "clips' keys that are too many");
  return frame_times(source, span);
}

void add_crossings(const std::function<double(double)>& value, const std::vector<double>& stops,
                   std::size_t most, std::vector<double>& times) {
  std::vector<double> found;
  double before = value(times.front());
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double after = value(times[i]);
    for (const double stop : stops) {
      if (!((before - stop) * (after - stop) < 0.0)) continue;
      double low = times[i - 1], high = times[i];
      for (int step = 0; step < 40; ++step) {
        const double middle = 0.5 * (low + high);
        ((value(middle) - stop) * (before - stop) > 0.0 ? low : high) = middle;
      }
      if (std::min(high - times[i - 1], times[i] - high) > same_time) found.push_back(high);
    }
    before = after;
  }
  if (times.size() + found.size() > most) return;
  times.insert(times.end(), found.begin(), found.end());
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

void refine_times(const FbxSource& source, const std::function<PoseRow(double)>& pose,
                  const std::function<bool(const PoseRow& before, const PoseRow& after,
                                           const PoseRow& between, double share)>& is_off,
                  std::vector<double>& times, std::vector<PoseRow>& rows) {
  const double least = finest / source.frame_rate;
  std::vector<bool> checked(times.size(), false);  // from each time to the next
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<double> new_times;
    std::vector<PoseRow> new_rows;
    std::vector<bool> new_checked;
    std::size_t room = most_samples(source) - std::min(times.size(), most_samples(source));
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::optional<std::pair<double, PoseRow>> between;
      const double length = times[std::min(i + 1, times.size() - 1)] - times[i];
      if (!checked[i] && length > least && room > 0)
        for (const double share : looked_at) {
          PoseRow row = pose(times[i] + share * length);
          if (!is_off(rows[i], rows[i + 1], row, share)) continue;
          between = {times[i] + share * length, std::move(row)};
          break;
        }
      new_times.push_back(times[i]);
      new_checked.push_back(!between);
      new_rows.push_back(std::move(rows[i]));
      if (!between) continue;
      new_times.push_back(between->first);
      new_rows.push_back(std::move(between->second));
      new_checked.push_back(false);
      changed = true;
      --room;
    }
    times = std::move(new_times);
    rows = std::move(new_rows);
    checked = std::move(new_checked);
  }
}

}  // namespace gvbind
