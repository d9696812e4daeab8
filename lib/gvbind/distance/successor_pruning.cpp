#include "gvbind/distance/successor_pruning.h"

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

/// Whether `other`, through a voxel of the given kind, makes `path` redundant.
bool is_as_good(const TwoEdges& other, bool other_boundary, const TwoEdges& path, bool boundary,
                bool into_boundary) {
  const std::uint64_t cost = path.cost(boundary, into_boundary);
  const std::uint64_t other_cost = other.cost(other_boundary, into_boundary);
  return other_cost < cost || (other_cost == cost && other.last_axes() < path.last_axes());
}

}  // namespace

// Costs of level 0 represent all levels: larger voxels are never boundary voxels, and between them
// two paths either consist of the same edges, or their costs differ by far more than rounding.
SuccessorPruning::SuccessorPruning(const EdgeCosts& costs) {
  for (int boundary = 0; boundary < 2; ++boundary)
    for (int before = 0; before < direction_count; ++before)
      for (int into_boundary = 0; into_boundary < 2; ++into_boundary) {
        Table& table = tables_[boundary][before];
        if (before == no_direction) continue;
        const Offset first_edge = Offset{0, 0, 0} - offset_of(before);
        for (int to = 0; to < direction_count; ++to) {
          if (to == no_direction) continue;
          const TwoEdges path{costs, first_edge, offset_of(to)};
          if (direct_is_cheaper(path, boundary, into_boundary)) continue;
          table.open[into_boundary] |= 1u << to;
          for (int first = 0; first < direction_count; ++first) {
            const Offset second = path.first + path.second - offset_of(first);
            const Offset aside = offset_of(first) - first_edge;
            if (first == no_direction || !is_direction(second) ||
                direction_of(second) == no_direction || !is_direction(aside) ||
                direction_of(aside) == no_direction)
              continue;
            const TwoEdges other{costs, offset_of(first), second};
            const Directions bit = 1u << direction_of(aside);
            Around& around = table.around[into_boundary][to];
            if (is_as_good(other, false, path, boundary, into_boundary)) around.plain |= bit;
            if (is_as_good(other, true, path, boundary, into_boundary)) around.boundary |= bit;
          }
        }
      }
}

}  // namespace gvbind
