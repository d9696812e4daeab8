#pragma once

#include <bit>
#include <cstdint>

#include "gvbind/distance/edge_costs.h"
#include "gvbind/volume/neighborhood26.h"

namespace gvbind {

/// Where a front came from as it entered a voxel.
struct Predecessor {
  Directions at : 27 = 0;  ///< where the voxel before lies: none for a start or a smaller voxel
  Directions same_size : 1 = 0;
};

/// Which steps a front has to take from a voxel, given the one by which it came. The others lead
/// nowhere sooner than a way around the voxel: straight from where it came, or by two steps through
/// another voxel. Of ways of equal length the one whose last step is the shorter counts, so no two
/// ways wait for each other, and every shortest distance is still found: of all last steps of
/// shortest ways to a voxel, one with nothing before it in that order is taken. In the open one to
/// seven steps of 26 are left.
class SuccessorPruning {
 public:
  explicit SuccessorPruning(const EdgeCosts& costs);

  /// The directions to take among the neighbors of its own size.
  Directions successors(const Leaf& leaf, Predecessor predecessor) const {
    const Directions near = leaf.near, near_boundary = leaf.near_boundary;
    if (!predecessor.same_size) {
      // Whoever touches both is reached straight, unless only this voxel makes the way cheap.
      const Directions beyond = ~touching(predecessor.at);
      return leaf.boundary ? near & beyond : (near & beyond) | near_boundary;
    }
    const Directions plain = near & ~near_boundary;
    const Came& table = came_[leaf.boundary][index_of(predecessor.at)];
    Directions open = (plain & table.open[0]) | (near_boundary & table.open[1]);
    for (Directions rest = open; rest != 0; rest &= rest - 1) {
      const Directions bit = rest & (~rest + 1);
      const Around& around = table.around[(near_boundary & bit) != 0][index_of(bit)];
      if (((plain & around.plain) | (near_boundary & around.boundary)) != 0) open ^= bit;
    }
    return open;
  }

  /// Whether to take the step to a neighbor of another size.
  static bool is_successor(const CrossLevelNeighbor& to, Predecessor predecessor) {
    return !to.is_larger || (touching(predecessor.at) & to.directions) == 0;
  }

 private:
  /// Neighbors through which another way is as good: any of these if it is no boundary voxel,
  /// any of those if it is one.
  struct Around {
    Directions plain = 0, boundary = 0;
  };
  /// All by whether the step leads into a boundary voxel.
  struct Came {
    Directions open[2] = {};  ///< directions to which no straight way is shorter
    Around around[2][direction_count];
  };
  static int index_of(Directions bit) { return std::countr_zero(bit); }

  Came came_[2][direction_count];  ///< by whether the voxel is a boundary one, where it came from
};

}  // namespace gvbind
