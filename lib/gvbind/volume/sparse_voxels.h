#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/base/zeroed_array.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/vote.h"
#include "gvbind/volume/neighborhood26.h"

namespace gvbind {

constexpr std::uint32_t no_voxel = 0xffffffffu;

/// A neighbor on another level of the octree.
struct CrossLevelNeighbor {
  std::uint32_t voxel;
  std::uint32_t squared : 22;  ///< squared distance of the centers, in halves of a finest voxel
  std::uint32_t boundary : 1;
  std::uint32_t last : 1;       ///< of its list
  std::uint32_t is_larger : 1;  ///< than the voxel that owns the list
  std::uint32_t by_one : 1;     ///< the levels differ by one
  std::uint32_t place : 6;      ///< if by_one, of the larger voxel, seen from the smaller
};

/// A leaf of the octree. Packed, because searches visit leaves in no cache-friendly order.
struct Leaf {
  std::uint32_t code_low = 0;
  std::uint32_t near : 27 =
      0;  ///< bit d: in direction d (neighborhood26.h) is a leaf of the same size
  std::uint32_t level : 5 = 0;           ///< side is 2^level finest voxels
  std::uint32_t near_boundary : 27 = 0;  ///< of `near`, those that are boundary voxels
  std::uint32_t boundary : 1 = 0;        ///< a triangle meets it (only at level 0)
  std::uint32_t code_high : 4 = 0;
  std::uint32_t first_cross_level = no_voxel;  ///< its list in `others`, if it has one

  /// Of its first finest voxel.
  MortonCode code() const { return MortonCode{code_high} << 32 | code_low; }
};

/// The sparse voxelization V of section 5.2: the non-exterior leaves of the octree in Morton order,
/// their 26-neighborhood across levels, and the lookup from a position to its leaf.
struct SparseVoxels {
  int resolution = 0;  ///< finest voxels a side

  ZeroedArray<Leaf> leaves;
  ZeroedArray<CrossLevelNeighbor> cross_level;

  // Lookup. A brick of 8^3 finest voxels is a single leaf, empty, or a table of leaves. The leaves
  // of a table are contiguous.
  std::vector<std::uint32_t> brick;        ///< Morton order; leaf, or table | brick_table, or none
  std::vector<std::uint32_t> table_first;  ///< by table: its first leaf
  /// Tables of 512 leaves in Morton order, relative to the table's first leaf.
  ZeroedArray<std::uint16_t> brick_cells;
  static constexpr std::uint32_t brick_table = 0x80000000u;
  static constexpr std::uint16_t no_cell = 0xffff;
  static constexpr int brick_level = 3, brick_voxels = 512;

  std::size_t size() const { return leaves.size(); }
  /// The leaf that contains a finest voxel, or no_voxel if exterior. Coordinates from 0 to
  /// resolution - 1.
  std::uint32_t find(int x, int y, int z) const;
  std::uint32_t find(MortonCode code) const {
    return find_in(brick[code / brick_voxels], code % brick_voxels);
  }
  /// The leaf of a finest voxel; `entry`: of its brick in `brick`.
  std::uint32_t find_in(std::uint32_t entry, MortonCode code) const {
    if (entry == no_voxel || !(entry & brick_table)) return entry;
    const std::uint32_t table = entry & ~brick_table;
    const std::uint16_t cell = brick_cells[std::size_t{table} * brick_voxels + code];
    return cell == no_cell ? no_voxel : table_first[table] + cell;
  }
  /// The neighbor on the same level; the direction must have one.
  std::uint32_t neighbor(const Leaf& leaf, int direction) const {
    return find(morton_add(leaf.code(), morton_offsets[direction] << (3 * leaf.level)));
  }
  /// The leaves whose closed box contains a lattice point, at most eight, ascending. On faces
  /// between voxels there are several.
  int touching(const Eigen::Vector3i& point, std::uint32_t (&found)[8]) const;

  /// Lattice coordinates; exact.
  Eigen::Vector3i center(std::uint32_t voxel) const;
  /// Lattice steps.
  int side(std::uint32_t voxel) const { return (lattice_size / resolution) << leaves[voxel].level; }
};

struct SparseOptions {
  /// Leaves are at most resolution / coarsest_cells voxels wide (and at least one).
  int coarsest_cells = 64;
  /// A leaf larger than one voxel keeps this many of its own widths from any boundary or bone
  /// voxel. Paths run from center to center, so edges between levels are crooked. Measured on real
  /// characters at 256^3, as mean L1 to the weights of a uniform grid: 0.04 to 0.06 for 0, 0.012 to
  /// 0.018 for 1, with twice the leaves.
  int reach = 1;
};

/// Rebuilds the voxelization from its leaves (codes, levels and boundary bits, in Morton order,
/// without overlap). Does not link neighbors, see link_neighbors().
SparseVoxels voxels_of_leaves(int resolution, ZeroedArray<Leaf> leaves);

/// Algorithm 2: splits every octree node that contains a boundary or bone voxel, or is within reach
/// of one, down to the finest level. V consists of the leaves with non-exterior voxels. `bones`:
/// bone_voxels().
SparseVoxels sparse_voxels(Solid solid, const std::vector<std::vector<MortonCode>>& bones,
                           const SparseOptions& options = {});

}  // namespace gvbind
