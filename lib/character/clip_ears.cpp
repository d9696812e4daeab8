#include "character/clip_ears.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

namespace gvbind {
namespace {

/// Tolerance for a corner on an edge, relative to the polygon's size, and the test for an ear.
/// Rounded corners can make a bridge to a hole cross itself slightly; then the tolerance is relaxed
/// until the polygon can be cut.
struct EarRule {
  double tolerance;
  bool along_corners;  ///< the cut may pass through other corners
  bool looks;          ///< whether to test for corners inside
};
constexpr std::array ear_rules = {EarRule{1e-14, false, true}, EarRule{1e-14, true, true},
                                  EarRule{1e-9, true, true}, EarRule{1e-6, true, true},
                                  EarRule{1e-14, true, false}};

/// Corners by squares of the plane, for lookup.
struct CornerGrid {
  Eigen::Vector2d low = Eigen::Vector2d::Zero();
  double cell = 1.0;
  std::size_t columns = 1, rows = 1;
  std::vector<std::vector<std::uint32_t>> corners = {};

  std::size_t place(double value, std::size_t axis) const {
    const std::size_t count = axis == 0 ? columns : rows;
    const double at = std::floor((value - low[static_cast<Eigen::Index>(axis)]) / cell);
    return at > 0.0 ? std::min(static_cast<std::size_t>(std::min(at, 1e9)), count - 1) : 0;
  }
};

/// The rest of the polygon while ears are cut off.
struct EarRing {
  std::vector<Eigen::Vector2d> at;
  std::vector<std::uint32_t> next, previous;
  std::vector<bool> gone;
  std::size_t left = 0;
  double size = 0.0;
  EarRule rule = ear_rules[0];
  /// Of the reflex corners: if an ear contains any corner, it contains a reflex one.
  CornerGrid grid = {};
  std::vector<Triangle> triangles = {};
};

/// Side of point `p` relative to the line from a to b: 1 left, 0 on it.
int side_of(const EarRing& ring, const Eigen::Vector2d& a, const Eigen::Vector2d& b,
            const Eigen::Vector2d& point) {
  const Eigen::Vector2d along = b - a, away = point - a;
  const double area = along.x() * away.y() - along.y() * away.x();
  const double noise = ring.rule.tolerance * ring.size * (along.norm() + away.norm());
  return area > noise ? 1 : area < -noise ? -1 : 0;
}

std::vector<std::uint32_t>& cell_of(EarRing& ring, std::uint32_t corner) {
  const Eigen::Vector2d& at = ring.at[corner];
  return ring.grid
      .corners[ring.grid.place(at.y(), 1) * ring.grid.columns + ring.grid.place(at.x(), 0)];
}

int bend_at(const EarRing& ring, std::uint32_t corner) {
  return side_of(ring, ring.at[ring.previous[corner]], ring.at[corner], ring.at[ring.next[corner]]);
}

/// Whether the boundary turns back on itself at this corner, or has no extent.
bool is_spur(const EarRing& ring, std::uint32_t corner) {
  const Eigen::Vector2d &a = ring.at[ring.previous[corner]], &b = ring.at[corner],
                        &c = ring.at[ring.next[corner]];
  return bend_at(ring, corner) == 0 && (b - a).dot(c - b) <= 0.0;
}

bool is_bent_inward(const EarRing& ring, std::uint32_t corner) {
  const int bend = bend_at(ring, corner);
  if (bend != 0) return bend < 0;
  const bool exact = ring.rule.tolerance <= ear_rules[0].tolerance;
  return !exact || is_spur(ring, corner);
}

/// Whether the corner, or an edge at it, lies inside the triangle. Touching does not count.
bool is_in_way(const EarRing& ring, const std::array<Eigen::Vector2d, 3>& ear,
               std::uint32_t corner) {
  std::array<int, 3> sides{};
  for (std::size_t k = 0; k < 3; ++k) {
    sides[k] = side_of(ring, ear[k], ear[(k + 1) % 3], ring.at[corner]);
    if (sides[k] < 0) return false;
  }
  const bool on_cut = sides[2] == 0 && sides[0] > 0 && sides[1] > 0;
  if (on_cut && !ring.rule.along_corners) return true;
  for (const std::uint32_t beside : {ring.previous[corner], ring.next[corner]}) {
    bool goes_in = true;
    for (std::size_t k = 0; k < 3 && goes_in; ++k)
      goes_in = sides[k] > 0 || side_of(ring, ear[k], ear[(k + 1) % 3], ring.at[beside]) > 0;
    if (goes_in) return true;
  }
  return false;
}

/// The triangle's columns in a row of the grid.
std::array<std::size_t, 2> columns_in_row(const CornerGrid& grid,
                                          const std::array<Eigen::Vector2d, 3>& ear,
                                          std::size_t row) {
  const double bottom = grid.low.y() + static_cast<double>(row) * grid.cell,
               top = bottom + grid.cell;
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (std::size_t k = 0; k < 3; ++k) {
    Eigen::Vector2d a = ear[k], b = ear[(k + 1) % 3];
    if (a.y() > b.y()) std::swap(a, b);
    if (b.y() < bottom || a.y() > top) continue;
    const auto x_at = [&](double y) {
      return b.y() > a.y() ? a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()) : a.x();
    };
    const bool flat = !(b.y() > a.y());
    for (const double x :
         {x_at(std::max(bottom, a.y())), flat ? b.x() : x_at(std::min(top, b.y()))}) {
      first = std::min(first, x);
      last = std::max(last, x);
    }
  }
  if (!(first <= last)) return {0, grid.columns - 1};
  const std::size_t from = grid.place(first, 0), to = grid.place(last, 0);
  return {from > 0 ? from - 1 : 0, std::min(to + 1, grid.columns - 1)};
}

bool has_corner_within(const EarRing& ring, std::uint32_t tip) {
  const std::uint32_t before = ring.previous[tip], after = ring.next[tip];
  const std::array ear = {ring.at[before], ring.at[tip], ring.at[after]};
  const auto [low, high] = std::minmax({ear[0].y(), ear[1].y(), ear[2].y()});
  const auto in_way = [&](std::uint32_t corner) {
    return corner != before && corner != tip && corner != after && is_in_way(ring, ear, corner);
  };
  // Straight corners are not in the grid, but the cut may run along them.
  if (in_way(ring.previous[before]) || in_way(ring.next[after])) return true;
  const CornerGrid& grid = ring.grid;
  const std::size_t from = grid.place(low, 1), to = grid.place(high, 1);
  for (std::size_t row = from > 0 ? from - 1 : 0; row <= std::min(to + 1, grid.rows - 1); ++row) {
    // Includes squares beside the triangle, since corners nearly on an edge count.
    const auto [first, last] = columns_in_row(grid, ear, std::clamp(row, from, to));
    for (std::size_t column = first; column <= last; ++column)
      for (const std::uint32_t corner : grid.corners[row * grid.columns + column])
        if (in_way(corner)) return true;
  }
  return false;
}

bool is_ear(const EarRing& ring, std::uint32_t corner) {
  if (is_spur(ring, corner)) return true;
  if (bend_at(ring, corner) <= 0) return false;
  return !ring.rule.looks || !has_corner_within(ring, corner);
}

void set_grid(EarRing& ring) {
  Eigen::Vector2d low = ring.at[0], high = ring.at[0];
  for (const Eigen::Vector2d& point : ring.at) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  ring.size = (high - low).maxCoeff();
  std::vector<std::uint32_t> bent;
  for (std::uint32_t corner = 0; corner < ring.at.size(); ++corner)
    if (!ring.gone[corner] && is_bent_inward(ring, corner)) bent.push_back(corner);
  CornerGrid grid{low};
  const Eigen::Vector2d extent = high - low;
  grid.cell =
      std::max(std::sqrt(extent.x() * extent.y() / (static_cast<double>(bent.size()) + 1.0)),
               1e-3 * ring.size);
  if (!(grid.cell > 0.0) || !std::isfinite(grid.cell)) grid.cell = 1.0;
  grid.columns = grid.rows = 2048;
  grid.columns = grid.place(high.x(), 0) + 1;
  grid.rows = grid.place(high.y(), 1) + 1;
  grid.corners.resize(grid.columns * grid.rows);
  ring.grid = std::move(grid);
  for (const std::uint32_t corner : bent) cell_of(ring, corner).push_back(corner);
}

void cut(EarRing& ring, std::uint32_t corner) {
  const std::uint32_t before = ring.previous[corner], after = ring.next[corner];
  ring.triangles.push_back({before, corner, after});
  ring.next[before] = after;
  ring.previous[after] = before;
  ring.gone[corner] = true;
  --ring.left;
  std::erase(cell_of(ring, corner), corner);
  for (const std::uint32_t beside : {before, after})
    if (!is_bent_inward(ring, beside)) std::erase(cell_of(ring, beside), beside);
}

/// Cuts ears until there are none, or `looks` is used up. `only_one`: stops after the first, for
/// relaxed rules, because the strictest rule may find ears again then. True if any was cut.
bool cut_ears(EarRing& ring, bool only_one, std::size_t& looks) {
  std::deque<std::uint32_t> waiting;
  std::vector<bool> waits(ring.at.size(), false);
  const auto wait_for = [&](std::uint32_t corner) {
    if (!waits[corner]) waiting.push_back(corner);
    waits[corner] = true;
  };
  for (std::uint32_t corner = 0; corner < ring.at.size(); ++corner)
    if (!ring.gone[corner]) wait_for(corner);
  bool any = false;
  while (!waiting.empty() && ring.left > 2 && looks > 0) {
    const std::uint32_t corner = waiting.front();
    waiting.pop_front();
    waits[corner] = false;
    --looks;
    if (ring.gone[corner] || !is_ear(ring, corner)) continue;
    any = true;
    cut(ring, corner);
    if (only_one) break;
    wait_for(ring.previous[corner]);
    wait_for(ring.next[corner]);
  }
  return any;
}

/// Cuts the rest arbitrarily.
void cut_rest(EarRing& ring) {
  std::uint32_t corner = 0;
  while (ring.gone[corner]) ++corner;
  while (ring.left > 2) {
    const std::uint32_t after = ring.next[corner];
    cut(ring, corner);
    corner = after;
  }
}

}  // namespace

std::vector<Triangle> clip_ears(std::vector<Eigen::Vector2d> corners) {
  EarRing ring;
  ring.left = corners.size();
  ring.at = std::move(corners);
  ring.gone.assign(ring.left, false);
  for (std::uint32_t i = 0; i < ring.left; ++i) {
    ring.next.push_back(i + 1 < ring.left ? i + 1 : 0);
    ring.previous.push_back(i > 0 ? i - 1 : static_cast<std::uint32_t>(ring.left) - 1);
  }
  std::size_t looks = 1000000 + 30 * ring.left;  // about two per corner suffice for most polygons
  for (std::size_t rule = 0; rule < ear_rules.size() && ring.left > 2;) {
    ring.rule = ear_rules[rule];
    set_grid(ring);
    rule = cut_ears(ring, rule > 0, looks) ? 0 : rule + 1;
    if (looks == 0) break;
  }
  cut_rest(ring);
  return std::move(ring.triangles);
}

}  // namespace gvbind
