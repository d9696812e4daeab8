#pragma once

// Tested by tests/unit/gvbind/geodesic_distance_test.cpp.

#include <bit>
#include <cstdint>

#include "gvbind/distance/delta_stepping.h"
#include "gvbind/volume/neighborhood26.h"

namespace gvbind {

/// The voxel from which a path enters another one.
struct Predecessor {
  Directions at : 27 = 0;  ///< its direction; none for a seed or a smaller voxel
  Directions same_size : 1 = 0;
};

/// Successor pruning on the 26-connected grid, as in jump-point search (Harabor and Grastien 2011):
/// skips neighbor n of v if a path from v's predecessor to n that avoids v costs no more, either
/// directly or through one other voxel. Ties go to the shorter last edge. That makes the pruning
/// acyclic, hence lossless: of the last edges of all shortest paths to a voxel, the minimum in that
/// order is never pruned. 1 to 7 of 26 successors remain in free space.
class SuccessorPruning {
 public:
  explicit SuccessorPruning(const EdgeCosts& costs);

  /// The directions of the successors among the neighbors of the same level.
  Directions successors(const Leaf& leaf, Predecessor predecessor) const {
    const Directions near = leaf.near, near_boundary = leaf.near_boundary;
    if (!predecessor.same_size) {
      // A neighbor of both is reached directly, unless only the path through v is cheap.
      const Directions beyond = ~touching(predecessor.at);
      return leaf.boundary ? near & beyond : (near & beyond) | near_boundary;
    }
    const Directions plain = near & ~near_boundary;
    const Table& table = tables_[leaf.boundary][index_of(predecessor.at)];
    Directions open = (plain & table.open[0]) | (near_boundary & table.open[1]);
    for (Directions rest = open; rest != 0; rest &= rest - 1) {
      const Directions bit = rest & (~rest + 1);
      const Around& around = table.around[(near_boundary & bit) != 0][index_of(bit)];
      if (((plain & around.plain) | (near_boundary & around.boundary)) != 0) open ^= bit;
    }
    return open;
  }

  /// Whether a neighbor of another level is a successor.
  static bool is_successor(const CrossLevelNeighbor& to, Predecessor predecessor) {
    return !to.is_larger || (touching(predecessor.at) & to.directions) == 0;
  }

 private:
  /// Neighbors of v through which a path to n costs no more: if they are not boundary voxels, and
  /// if they are.
  struct Around {
    Directions plain = 0, boundary = 0;
  };
  /// Indexed by whether n is a boundary voxel.
  struct Table {
    Directions open[2] = {};  ///< directions of n that no direct edge reaches at lower cost
    Around around[2][direction_count];
  };
  static int index_of(Directions bit) { return std::countr_zero(bit); }

  Table tables_[2][direction_count];  ///< by whether v is a boundary voxel, direction of its
                                      ///< predecessor
};

}  // namespace gvbind
