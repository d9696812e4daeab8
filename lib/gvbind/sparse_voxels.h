#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/classify.h"
#include "gvbind/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_voxel = 0xffffffffu;

/// A neighbor of a sparse voxel, and how far it is.
struct Neighbor {
  /// Voxels of one size touch by a face, an edge or a corner; others at any distance.
  enum Contact : std::uint32_t { face, edge, corner, other_size };

  std::uint32_t bits = 0;

  Neighbor() = default;
  Neighbor(std::uint32_t voxel, Contact contact) : bits(voxel | contact << 30) {}
  std::uint32_t voxel() const { return bits & 0x3fffffffu; }
  Contact contact() const { return static_cast<Contact>(bits >> 30); }
};

/// The sparse voxelization V of section 5.2: the octree's non-exterior leaves in Morton order,
/// their 26-neighborhood across sizes, and the way from a place to its leaf.
struct SparseVoxels {
  int resolution = 0;  ///< finest voxels a side

  std::vector<std::uint32_t> code;     ///< Morton code of the leaf's first finest voxel, ascending
  std::vector<std::uint8_t> level;     ///< side is 2^level finest voxels
  std::vector<std::uint8_t> boundary;  ///< 1: a triangle meets it (only at level 0)
  std::vector<std::uint32_t> first;  ///< size() + 1: the neighbors of v are first[v] .. first[v+1]
  std::vector<Neighbor> neighbors;

  // Place -> leaf: 8^3 finest voxels are a brick; a brick is one leaf, nothing, or a table.
  std::vector<std::uint32_t> brick;        ///< Morton order; leaf, or table | brick_table, or none
  std::vector<std::uint32_t> brick_cells;  ///< tables of 512 leaves in Morton order
  static constexpr std::uint32_t brick_table = 0x80000000u;

  std::size_t size() const { return code.size(); }
  /// The leaf that holds a finest voxel, or no_voxel where that is exterior. Coordinates within
  /// 0 .. resolution - 1.
  std::uint32_t find(int x, int y, int z) const;
  std::uint32_t find(std::uint32_t morton_code) const;
  /// The non-exterior leaves whose closed box holds a lattice point, at most eight, ascending: more
  /// than one where the point lies on a face between voxels.
  int touching(const Eigen::Vector3i& point, std::uint32_t (&leaves)[8]) const;

  /// Lattice coordinates; exact.
  Eigen::Vector3i center(std::uint32_t voxel) const;
  /// Lattice steps.
  int side(std::uint32_t voxel) const { return (lattice_size / resolution) << level[voxel]; }
};

struct SparseOptions {
  /// Leaves are at most resolution / coarsest_cells a side (and at least one voxel).
  int coarsest_cells = 128;
  /// A leaf larger than one voxel keeps this many of its own sides between itself and any boundary
  /// or bone voxel. Paths run from center to center, so each step between sizes is crooked: with 0
  /// the weights of real characters at 256^3 are 0.04 to 0.06 (mean L1) off those of a uniform
  /// grid, with 1 it is 0.012 to 0.018, for twice the leaves.
  int reach = 1;
};

/// Algorithm 2: every octree node that holds a boundary or bone voxel, or is within reach of one,
/// splits down to the finest level; leaves with any non-exterior voxel make V. `bones`: Morton
/// codes of finest voxels.
SparseVoxels sparse_voxels(const Solid& solid, const std::vector<std::vector<std::uint32_t>>& bones,
                           const SparseOptions& options = {});

}  // namespace gvbind
