#pragma once

// Tested by tests/unit/gvbind/geodesic_distance_test.cpp.

#include <cstdint>
#include <vector>

#include "gvbind/distance/delta_stepping.h"
#include "gvbind/volume/neighborhood26.h"

namespace gvbind {

/// The voxel from which a path enters another one.
struct Predecessor {
  enum class Size : std::uint8_t {
    unknown,  ///< a seed, or levels that differ by more than one
    same,
    smaller,
    larger
  };
  Size size = Size::unknown;
  std::uint8_t at = 0;  ///< direction of a voxel of the same size, Place of another
};

/// Successor pruning on the 26-connected grid, as in jump-point search (Harabor and Grastien 2011):
/// skips neighbor n of v if a path to n that avoids the edge from v to n costs no more: from v's
/// predecessor directly or through one other voxel, or from v through one other voxel. Ties go to
/// the shorter last edge. That makes the pruning acyclic, hence lossless: of the last edges of all
/// shortest paths to a voxel, the minimum in that order is never pruned. 1 to 7 of 26 successors
/// remain in free space. Between voxels of different sizes only paths that cost less count.
class SuccessorPruning {
 public:
  /// `has_levels`: there are voxels of several sizes.
  SuccessorPruning(const EdgeCosts& costs, bool has_levels);

  /// The directions of the successors among the neighbors of the same level.
  Directions successors(const Leaf& leaf, Predecessor predecessor) const {
    const Directions near = leaf.near, near_boundary = leaf.near_boundary;
    const Table& table = table_of(predecessor, leaf.boundary);
    const Directions plain = near & ~near_boundary;
    const Directions to_plain = plain & table.open[0] & ~table.passed(plain, near_boundary, false);
    if (near_boundary == 0) return to_plain;
    return to_plain | (near_boundary & table.open[1] & ~table.passed(plain, near_boundary, true));
  }

  /// Which neighbors of other levels are successors.
  struct Crossing {
    Directions at = 0;         ///< of the predecessor, unless it is smaller
    Directions reached = 0;    ///< touching(at)
    std::uint64_t beside = 0;  ///< places of smaller voxels that a smaller predecessor touches
    bool leads_to(CrossLevelNeighbor to) const {
      if (!to.by_one) return true;
      if (to.is_larger) return (reached & to_larger[to.place]) == 0;
      return to.boundary ||
             ((at & beside_smaller[to.place]) == 0 && (beside >> to.place & 1u) == 0);
    }
  };
  Crossing crossing(Predecessor predecessor) const {
    return crossings_[static_cast<int>(predecessor.size)][predecessor.at];
  }

 private:
  /// Neighbors of v whose edge in one direction ends at a neighbor n of v and makes the edge from v
  /// to n redundant.
  struct Detour {
    /// no_direction - s, where s is the step of that direction in the order of directions.
    std::uint8_t back = 0;
    Directions by = 0;
  };
  struct Table {
    Directions open[2] = {};  ///< n that no direct edge reaches at lower cost: plain, boundary
    std::uint8_t count[2][2] = {};  ///< of detours
    /// By whether n is a boundary voxel, and whether the neighbors passed are.
    Detour detours[2][2][direction_count - 1];

    void add_detour(int by, bool by_boundary, int to, bool into_boundary);
    /// The n that detours through these neighbors of v make redundant.
    Directions passed(Directions plain, Directions boundary, bool into_boundary) const {
      std::uint64_t ends = 0;
      const auto add = [&](Directions set, const Detour* detour, int many) {
        for (int i = 0; i < many; ++i)
          ends |= std::uint64_t{set & detour[i].by} << no_direction >> detour[i].back;
      };
      add(plain, detours[into_boundary][0], count[into_boundary][0]);
      if (boundary != 0) add(boundary, detours[into_boundary][1], count[into_boundary][1]);
      return static_cast<Directions>(ends);
    }
  };
  static std::size_t index_of(Predecessor::Size size, bool boundary, int at) {
    return (2 * static_cast<std::size_t>(size) + boundary) * place_count +
           static_cast<std::size_t>(at);
  }
  const Table& table_of(Predecessor predecessor, bool boundary) const {
    return tables_[index_of(predecessor.size, boundary, predecessor.at)];
  }
  Table& table(Predecessor::Size size, bool boundary, int at) {
    return tables_[index_of(size, boundary, at)];
  }
  void fill_same_level(const EdgeCosts& costs);
  void fill_cross_level();

  // By the predecessor's size, whether v is a boundary voxel, and the predecessor's at; too large
  // for a stack. Where all voxels have one size, only the tables of the first two sizes are made.
  std::vector<Table> tables_;
  Crossing crossings_[4][place_count];
};

}  // namespace gvbind
