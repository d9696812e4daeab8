#include "character/reduce_keys.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

namespace gvbind {
namespace {

double rotation_error(const double* a, const double* b, const double* value, double x) {
  const Eigen::Quaterniond from(a[3], a[0], a[1], a[2]), to(b[3], b[0], b[1], b[2]);
  const Eigen::Quaterniond at(value[3], value[0], value[1], value[2]);
  return from.slerp(x, to).angularDistance(at);
}

/// How far the value of a key lies from the straight way between two others, in tolerances.
double key_error(const Channel& channel, std::size_t from, std::size_t to, std::size_t key,
                 const std::vector<double>& tolerances) {
  const std::size_t columns = channel.columns();
  const auto row = [&](std::size_t k) { return channel.values.data() + k * columns; };
  const double length = channel.times[to] - channel.times[from];
  const double x = length > 0 ? (channel.times[key] - channel.times[from]) / length : 0.0;
  return straight_error(channel.path, row(from), row(to), row(key), x, tolerances);
}

/// Douglas and Peucker: keeps the farthest key, then does the same on both sides.
std::vector<bool> kept_keys(const Channel& channel, const std::vector<double>& tolerances) {
  std::vector<bool> kept(channel.times.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> spans = {{0, kept.size() - 1}};
  while (!spans.empty()) {
    const auto [from, to] = spans.back();
    spans.pop_back();
    double worst = 1.0;
    std::size_t at = from;
    for (std::size_t key = from + 1; key < to; ++key)
      if (const double error = key_error(channel, from, to, key, tolerances); error > worst) {
        worst = error;
        at = key;
      }
    if (at == from) continue;
    kept[at] = true;
    spans.push_back({from, at});
    spans.push_back({at, to});
  }
  return kept;
}

void keep_keys(Channel& channel, const std::vector<bool>& kept) {
  const std::size_t columns = channel.columns();
  Channel out = channel;
  out.times.clear();
  out.values.clear();
  for (std::size_t key = 0; key < kept.size(); ++key) {
    if (!kept[key]) continue;
    out.times.push_back(channel.times[key]);
    const double* values = channel.values.data() + key * columns;
    out.values.insert(out.values.end(), values, values + columns);
  }
  channel = std::move(out);
}

}  // namespace

double straight_error(Channel::Path path, const double* from, const double* to, const double* value,
                      double x, const std::vector<double>& tolerances) {
  if (path == Channel::Path::rotation) return rotation_error(from, to, value, x) / tolerances[0];
  double error = 0;
  for (std::size_t c = 0; c < tolerances.size(); ++c)
    error = std::max(error, std::abs(from[c] + x * (to[c] - from[c]) - value[c]) / tolerances[c]);
  return error;
}

void reduce_keys(Channel& channel, double tolerance) {
  reduce_keys(channel, std::vector<double>(channel.columns(), tolerance));
}

void reduce_keys(Channel& channel, const std::vector<double>& tolerances) {
  if (channel.times.size() < 2 || channel.columns() == 0) return;
  std::vector<bool> kept = kept_keys(channel, tolerances);
  const std::size_t last = kept.size() - 1;
  if (std::ranges::count(kept, true) == 2 && key_error(channel, 0, 0, last, tolerances) <= 1.0)
    kept[last] = false;
  keep_keys(channel, kept);
}

void reduce_steps(Channel& channel) {
  const std::size_t columns = channel.columns();
  std::vector<bool> kept(channel.times.size(), true);
  for (std::size_t key = 1; key < kept.size(); ++key) {
    const double* value = channel.values.data() + key * columns;
    kept[key] = !std::equal(value, value + columns, value - columns);
  }
  keep_keys(channel, kept);
}

void align_rotations(Channel& channel) {
  for (std::size_t key = 1; key < channel.times.size(); ++key) {
    double dot = 0;
    for (std::size_t c = 0; c < 4; ++c)
      dot += channel.values[4 * key + c] * channel.values[4 * key + c - 4];
    if (dot < 0)
      for (std::size_t c = 0; c < 4; ++c) channel.values[4 * key + c] *= -1.0;
  }
}

}  // namespace gvbind
