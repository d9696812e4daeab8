#include "gvbind/distance/successor_pruning.h"

#include <Eigen/Core>
#include <algorithm>

namespace gvbind {

namespace {

/// Two consecutive edges, the first into the voxel v.
struct TwoEdges {
  const EdgeCosts& costs;
  Offset first, second;

  int last_axes() const { return axes_of(direction_of(second)); }
  std::uint64_t cost(bool boundary_between, bool boundary_after) const {
    return costs.same_level(0, boundary_between, axes_of(direction_of(first))) +
           costs.same_level(0, boundary_after, last_axes());
  }
};

bool direct_is_cheaper(const TwoEdges& path, bool boundary, bool into_boundary) {
  const Offset sum = path.first + path.second;
  if (!is_direction(sum)) return false;
  const int direction = direction_of(sum);
  return direction == no_direction || path.costs.same_level(0, into_boundary, axes_of(direction)) <
                                          path.cost(boundary, into_boundary);
}

bool is_edge(Offset s) { return is_direction(s) && direction_of(s) != no_direction; }

/// Whether a path from v's predecessor through v's neighbor `by`, instead of v, makes `path`
/// redundant. Neighbors `by` and the end of the path share an edge, as below.
bool is_way_around(const TwoEdges& path, int by, bool by_boundary, bool boundary,
                   bool into_boundary) {
  const TwoEdges other{path.costs, path.first + offset_of(by), path.second - offset_of(by)};
  if (!is_edge(other.first)) return false;
  const std::uint64_t cost = path.cost(boundary, into_boundary);
  const std::uint64_t other_cost = other.cost(by_boundary, into_boundary);
  return other_cost < cost || (other_cost == cost && other.last_axes() < path.last_axes());
}

/// Whether a path from v through its neighbor `by` costs less than the edge to `to`.
bool is_detour(const EdgeCosts& costs, int by, bool by_boundary, int to, bool into_boundary) {
  const int rest = direction_of(offset_of(to) - offset_of(by));
  return costs.same_level(0, by_boundary, axes_of(by)) +
             costs.same_level(0, into_boundary, axes_of(rest)) <
         costs.same_level(0, into_boundary, axes_of(to));
}

/// Calls body for all pairs of directions.
template <class Body>
void for_each_pair(const Body& body) {
  for (int a = 0; a < direction_count; ++a)
    for (int b = 0; b < direction_count; ++b)
      if (a != no_direction && b != no_direction) body(a, b);
}

/// From the center of a cell to that of a larger one, in sides of the smaller.
Eigen::Vector3d to_center(int place) {
  Eigen::Vector3d offset;
  for (int axis = 0; axis < 3; ++axis) {
    const Span span = span_of(place, axis);
    offset[axis] = span.low == span.high ? 1.5 * span.low : 0.5 * (span.low + span.high);
  }
  return offset;
}

/// Cells that touch lie beyond each other along an axis.
bool is_touching(int place) { return to_center(place).cwiseAbs().maxCoeff() > 1.0; }

/// Sides of a voxel; far above what rounding costs to label units moves.
constexpr double least_gain = 1e-3;

/// Whether a path that begins with an edge to `by` instead of v is shorter. `entry`: from the
/// predecessor to v; `side`: of v and its neighbors.
bool is_shorter(const Eigen::Vector3d& entry, int by, int to, double side) {
  const auto vector = [&](Offset s) -> Eigen::Vector3d {
    return {s.x * side, s.y * side, s.z * side};
  };
  const Offset rest = offset_of(to) - offset_of(by);
  return is_edge(rest) && (entry + vector(offset_of(by))).norm() + vector(rest).norm() <
                              entry.norm() + vector(offset_of(to)).norm() - least_gain;
}

}  // namespace

void SuccessorPruning::Table::add_detour(int by, bool by_boundary, int to, bool into_boundary) {
  const auto back = static_cast<std::uint8_t>(no_direction - (to - by));
  Detour* own = detours[into_boundary][by_boundary];
  std::uint8_t& many = count[into_boundary][by_boundary];
  Detour* at = std::find_if(own, own + many, [&](const Detour& d) { return d.back == back; });
  if (at == own + many) own[many++].back = back;
  at->by |= 1u << by;
}

SuccessorPruning::SuccessorPruning(const EdgeCosts& costs, bool has_levels)
    : tables_(index_of(has_levels ? Predecessor::Size::larger : Predecessor::Size::same, true,
                       place_count)) {
  for (const bool boundary : {false, true}) {
    Table& of_seed = table(Predecessor::Size::unknown, boundary, 0);
    of_seed.open[0] = of_seed.open[1] = all_directions;
  }
  fill_same_level(costs);
  if (has_levels) fill_cross_level();
}

// Costs of level 0 represent all levels: larger voxels are never boundary voxels, and between them
// two paths either consist of the same edges, or their costs differ by far more than rounding.
void SuccessorPruning::fill_same_level(const EdgeCosts& costs) {
  Directions detours[2][2][direction_count] = {};  // through boundary voxels, into one, to
  for_each_pair([&](int by, int to) {
    if (!is_edge(offset_of(to) - offset_of(by))) return;
    for (const bool by_boundary : {false, true})
      for (const bool into_boundary : {false, true})
        if (is_detour(costs, by, by_boundary, to, into_boundary))
          detours[by_boundary][into_boundary][to] |= 1u << by;
  });
  for_each_pair([&](int before, int to) {
    for (const bool boundary : {false, true})
      for (const bool into_boundary : {false, true}) {
        const TwoEdges path{costs, Offset{0, 0, 0} - offset_of(before), offset_of(to)};
        if (direct_is_cheaper(path, boundary, into_boundary)) continue;
        Table& own = table(Predecessor::Size::same, boundary, before);
        own.open[into_boundary] |= 1u << to;
        for (int by = 0; by < direction_count; ++by) {
          if (by == no_direction || !is_edge(offset_of(to) - offset_of(by))) continue;
          for (const bool by_boundary : {false, true})
            if ((detours[by_boundary][into_boundary][to] >> by & 1u) != 0 ||
                is_way_around(path, by, by_boundary, boundary, into_boundary))
              own.add_detour(by, by_boundary, to, into_boundary);
        }
      }
  });
}

// Voxels are of sides 1 and 2; only the smaller can be boundary voxels.
void SuccessorPruning::fill_cross_level() {
  using Size = Predecessor::Size;
  for (int place = 0; place < place_count; ++place) {
    if (!is_touching(place)) continue;
    const Directions from_larger = touching(to_larger[place]);
    for (const bool larger : {false, true}) {
      const Size size = larger ? Size::larger : Size::smaller;
      const Directions reached = larger ? from_larger : beside_smaller[place];
      Table& own = table(size, false, place);
      for (const bool boundary : {false, true})
        table(size, boundary, place).open[0] = all_directions & ~reached;
      own.open[1] = all_directions;
      table(size, true, place).open[1] = all_directions & ~reached;
      // From the predecessor to v, in sides of the smaller.
      const Eigen::Vector3d entry = larger ? -to_center(place) : to_center(place);
      for_each_pair([&](int by, int to) {
        if ((reached >> by & 1u) != 0 && is_shorter(entry, by, to, larger ? 1.0 : 2.0))
          own.add_detour(by, false, to, false);
      });
    }
    crossings_[static_cast<int>(Size::larger)][place] = {to_larger[place], from_larger, 0};
    for (int other = 0; other < place_count; ++other)
      if (is_touching(other) && (to_center(place) - to_center(other)).cwiseAbs().maxCoeff() < 1.5)
        crossings_[static_cast<int>(Size::smaller)][place].beside |= std::uint64_t{1} << other;
  }
  for (int at = 0; at < direction_count; ++at)
    crossings_[static_cast<int>(Size::same)][at] = {1u << at, touching(1u << at), 0};
}

}  // namespace gvbind
