#include "rig/body_tips.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "rig/geodesic.h"

namespace gvbind::rig {

namespace {

constexpr int smoothing_rounds = 6;

std::uint32_t furthest(const Geodesic& geodesic) {
  return static_cast<std::uint32_t>(std::ranges::max_element(geodesic.costs) -
                                    geodesic.costs.begin());
}

std::uint32_t deepest(const BodyVolume& body) {
  return static_cast<std::uint32_t>(std::ranges::max_element(body.depths) - body.depths.begin());
}

/// The midpoint of the path between the two cells furthest apart; the path keeps to the middle of
/// the body.
std::uint32_t middle_cell(const BodyVolume& body) {
  const std::uint32_t one = furthest(geodesic_from(body, deepest(body), PathCost::length));
  const Geodesic lengths = geodesic_from(body, one, PathCost::length);
  const std::uint32_t other = furthest(lengths);
  const std::vector<std::uint32_t> path =
      path_to_start(geodesic_from(body, one, PathCost::depth), other);
  const double half = 0.5 * lengths.costs[other];
  return *std::ranges::min_element(
      path, {}, [&](std::uint32_t c) { return std::abs(lengths.costs[c] - half); });
}

struct Peak {
  std::uint32_t cell;
  double persistence;
};

/// Grows superlevel sets of the distance as it falls; where two meet, the lower peak ends.
std::vector<Peak> peaks_of(const BodyVolume& body, const std::vector<double>& distance) {
  std::vector<std::uint32_t> order(body.cells.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
  });
  std::vector<std::uint32_t> parent(body.cells.size(), no_cell);  // the root is the peak
  const auto root = [&](std::uint32_t c) {
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  const auto higher = [&](std::uint32_t a, std::uint32_t b) {
    return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
  };
  std::vector<Peak> peaks;
  for (const std::uint32_t c : order) {
    parent[c] = c;
    for (int d = 0; d < 27; ++d) {
      const std::uint32_t other = body.find(
          Eigen::Vector3i(body.cells[c] + Eigen::Vector3i(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1)));
      if (other == no_cell || parent[other] == no_cell) continue;
      std::uint32_t a = root(c), b = root(other);
      if (a == b) continue;
      if (higher(b, a)) std::swap(a, b);
      if (distance[b] > distance[c]) peaks.push_back({b, distance[b] - distance[c]});
      parent[b] = a;
    }
  }
  peaks.push_back({root(order[0]), distance[order[0]]});
  return peaks;
}

BodyPath smooth_path(const BodyVolume& body, const std::vector<std::uint32_t>& cells) {
  BodyPath path;
  path.cells = cells;
  for (const std::uint32_t c : cells) path.points.push_back(body.center(c));
  for (int round = 0; round < smoothing_rounds; ++round) {
    const std::vector<Eigen::Vector3d> old = path.points;
    for (std::size_t i = 1; i + 1 < old.size(); ++i)
      path.points[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
  }
  double length = 0.0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) length += (path.points[i] - path.points[i - 1]).norm();
    path.lengths.push_back(length);
    path.depths.push_back(body.depths[cells[i]]);
  }
  return path;
}

std::size_t interval(const std::vector<double>& lengths, double length) {
  const auto next = std::ranges::upper_bound(lengths, length);
  const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - lengths.begin(), 1));
  return std::min(at, lengths.size() - 1) - 1;
}

}  // namespace

Eigen::Vector3d BodyPath::at(double length) const {
  if (points.size() < 2) return points[0];
  const std::size_t i = interval(lengths, length);
  const double span = lengths[i + 1] - lengths[i];
  const double t = span > 0.0 ? std::clamp((length - lengths[i]) / span, 0.0, 1.0) : 0.0;
  return points[i] + t * (points[i + 1] - points[i]);
}

double BodyPath::depth_at(double length) const {
  if (points.size() < 2) return depths[0];
  return depths[interval(lengths, length)];
}

BodyTips find_tips(const BodyVolume& body, const TipOptions& options) {
  const std::uint32_t middle = options.middle ? *options.middle : middle_cell(body);
  const Geodesic lengths = geodesic_from(body, middle, PathCost::length);
  std::vector<Peak> peaks = peaks_of(body, lengths.costs);
  std::erase_if(peaks, [&](const Peak& peak) {
    return peak.persistence < options.least_protrusion * body.size();
  });
  std::ranges::stable_sort(peaks, std::ranges::greater{}, &Peak::persistence);
  peaks.resize(std::min(peaks.size(), options.most));
  std::ranges::stable_sort(peaks, std::ranges::greater{},
                           [&](const Peak& peak) { return lengths.costs[peak.cell]; });
  const Geodesic ways = geodesic_from(body, middle, PathCost::depth);
  BodyTips made;
  made.middle = body.center(middle);
  made.low = (body.low.array() + 1).cast<double>();
  made.high = (body.low + body.extent).array().cast<double>() - 1.0;
  for (const Peak& peak : peaks)
    made.tips.push_back({body.center(peak.cell), peak.persistence,
                         smooth_path(body, path_to_start(ways, peak.cell))});
  return made;
}

void add_mirrored_tips(const BodyVolume& body, const SymmetryPlane& plane, BodyTips& tips) {
  const double near = 0.04 * body.size();
  const std::size_t count = tips.tips.size();
  for (std::size_t t = 0; t < count; ++t) {
    const Eigen::Vector3d image = plane.mirrored(tips.tips[t].place);
    const bool known = std::ranges::any_of(
        tips.tips, [&](const BodyTip& tip) { return (tip.place - image).norm() < near; });
    if (known || (body.center(body.nearest(image)) - image).norm() > 2.0) continue;
    BodyTip made = tips.tips[t];
    made.place = image;
    for (Eigen::Vector3d& point : made.path.points) point = plane.mirrored(point);
    for (std::uint32_t& cell : made.path.cells) cell = body.find(plane.mirrored(body.center(cell)));
    tips.tips.push_back(std::move(made));
  }
}

}  // namespace gvbind::rig
