#include "rig/geodesic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace gvbind::rig {

namespace {

struct Step {
  std::ptrdiff_t slots;
  double length;
};

std::array<Step, 26> steps_of(const BodyVolume& body) {
  std::array<Step, 26> steps{};
  std::size_t count = 0;
  for (int d = 0; d < 27; ++d) {
    const Eigen::Vector3i by(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
    if (by.isZero()) continue;
    const std::ptrdiff_t slots =
        (static_cast<std::ptrdiff_t>(by.z()) * body.extent.y() + by.y()) * body.extent.x() + by.x();
    steps[count++] = {slots, std::sqrt(static_cast<double>(by.squaredNorm()))};
  }
  return steps;
}

}  // namespace

Geodesic geodesic_from(const BodyVolume& body, std::uint32_t start, PathCost cost) {
  const std::array<Step, 26> steps = steps_of(body);
  std::vector<double> factor(body.cells.size(), 1.0);
  if (cost == PathCost::depth)
    for (std::size_t c = 0; c < factor.size(); ++c)
      factor[c] = 1.0 / (static_cast<double>(body.depths[c]) * body.depths[c]);
  Geodesic made;
  made.costs.assign(body.cells.size(), std::numeric_limits<double>::infinity());
  made.previous.assign(body.cells.size(), no_cell);
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  made.costs[start] = 0.0;
  made.previous[start] = start;
  queue.emplace(0.0, start);
  while (!queue.empty()) {
    const auto [at_cost, at] = queue.top();
    queue.pop();
    if (at_cost > made.costs[at]) continue;
    const auto slot = static_cast<std::ptrdiff_t>(body.slot_of(body.cells[at]));
    for (const Step& step : steps) {
      const std::uint32_t other = body.slots[slot + step.slots];
      if (other == no_cell) continue;
      const double next = at_cost + step.length * 0.5 * (factor[at] + factor[other]);
      if (next < made.costs[other]) {
        made.costs[other] = next;
        made.previous[other] = at;
        queue.emplace(next, other);
      }
    }
  }
  return made;
}

std::vector<std::uint32_t> path_to_start(const Geodesic& geodesic, std::uint32_t end) {
  std::vector<std::uint32_t> path{end};
  while (geodesic.previous[path.back()] != path.back())
    path.push_back(geodesic.previous[path.back()]);
  return path;
}

}  // namespace gvbind::rig
