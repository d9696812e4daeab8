#include "gvbind/sparse_voxels.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "gvbind/bit_pyramid.h"
#include "gvbind/morton.h"
#include "gvbind/parallel.h"
#include "gvbind/sparse_neighbors.h"

namespace gvbind {

namespace {

constexpr int brick_level = 3;
constexpr std::uint32_t brick_voxels = 512;

/// The octree as two pyramids of bits.
struct Octree {
  std::vector<BitGrid> non_exterior;  ///< [level]
  std::vector<BitGrid> detail;        ///< boundary or bone below: a node with a set bit splits
};

Octree octree_of(const Solid& solid, const std::vector<std::vector<std::uint32_t>>& bones,
                 int levels, int reach) {
  Octree octree;
  BitGrid detail = solid.boundary;
  for (const std::vector<std::uint32_t>& codes : bones)
    for (const std::uint32_t code : codes) {
      const Eigen::Vector3i cell = morton_cell(code);
      detail.set(cell.x(), cell.y(), cell.z());
    }
  BitGrid plain = detail;
  octree.detail.push_back(std::move(detail));
  for (int level = 1; level <= levels; ++level) {
    plain = coarser(plain);
    BitGrid split = dilated(plain, reach);
    if (level > 1) {
      const BitGrid below = coarser(octree.detail.back());
      for (std::size_t i = 0; i < split.words.size(); ++i) split.words[i] |= below.words[i];
    }
    octree.detail.push_back(std::move(split));
    octree.non_exterior.push_back(
        coarser(level == 1 ? solid.non_exterior : octree.non_exterior.back()));
  }
  return octree;
}

struct Leaf {
  std::uint32_t code;
  std::uint8_t level, boundary;
};

void collect_leaves(const Octree& octree, const Solid& solid, const Eigen::Vector3i& cell,
                    std::uint64_t code, int level, std::vector<Leaf>& leaves) {
  const BitGrid& occupied = level == 0 ? solid.non_exterior : octree.non_exterior[level - 1];
  if (!occupied.test(cell.x(), cell.y(), cell.z())) return;
  if (level > 0 && octree.detail[level].test(cell.x(), cell.y(), cell.z())) {
    for (int i = 0; i < 8; ++i)
      collect_leaves(octree, solid, cell * 2 + Eigen::Vector3i(i & 1, i >> 1 & 1, i >> 2),
                     code * 8 + i, level - 1, leaves);
    return;
  }
  const bool boundary = level == 0 && solid.boundary.test(cell.x(), cell.y(), cell.z());
  leaves.push_back({static_cast<std::uint32_t>(code << (3 * level)),
                    static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(boundary)});
}

std::vector<std::vector<Leaf>> leaves_of(const Octree& octree, const Solid& solid, int top) {
  const auto cells = static_cast<std::uint64_t>(solid.non_exterior.resolution >> top);
  constexpr std::uint64_t block = 512;
  const std::uint64_t count = cells * cells * cells;
  std::vector<std::vector<Leaf>> blocks((count + block - 1) / block);
  parallel_for(blocks.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b)
      for (std::uint64_t code = b * block; code < std::min(count, (b + 1) * block); ++code)
        collect_leaves(octree, solid, morton_cell(code), code, top, blocks[b]);
  });
  return blocks;
}

void store_leaves(const std::vector<std::vector<Leaf>>& blocks, SparseVoxels& v) {
  std::size_t count = 0;
  for (const std::vector<Leaf>& block : blocks) count += block.size();
  v.code.reserve(count);
  v.level.reserve(count);
  v.boundary.reserve(count);
  for (const std::vector<Leaf>& block : blocks)
    for (const Leaf& leaf : block) {
      v.code.push_back(leaf.code);
      v.level.push_back(leaf.level);
      v.boundary.push_back(leaf.boundary);
    }
}

void build_bricks(SparseVoxels& v) {
  const auto side = static_cast<std::size_t>(v.resolution >> brick_level);
  v.brick.assign(side * side * side, no_voxel);
  std::uint32_t tables = 0;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    std::uint32_t& brick = v.brick[v.code[i] / brick_voxels];
    if (v.level[i] < brick_level) {
      if (brick == no_voxel) brick = SparseVoxels::brick_table | tables++;
    } else {
      std::fill_n(&brick, std::size_t{1} << (3 * (v.level[i] - brick_level)), i);
    }
  }
  v.brick_cells.assign(static_cast<std::size_t>(tables) * brick_voxels, no_voxel);
  parallel_for(v.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (v.level[i] >= brick_level) continue;
      const std::size_t table = v.brick[v.code[i] / brick_voxels] & ~SparseVoxels::brick_table;
      std::fill_n(&v.brick_cells[table * brick_voxels + v.code[i] % brick_voxels],
                  std::size_t{1} << (3 * v.level[i]), static_cast<std::uint32_t>(i));
    }
  });
}

}  // namespace

std::uint32_t SparseVoxels::find(std::uint32_t morton_code) const {
  const std::uint32_t entry = brick[morton_code / brick_voxels];
  if (entry == no_voxel || !(entry & brick_table)) return entry;
  return brick_cells[static_cast<std::size_t>(entry & ~brick_table) * brick_voxels +
                     morton_code % brick_voxels];
}

std::uint32_t SparseVoxels::find(int x, int y, int z) const {
  return find(static_cast<std::uint32_t>(morton_code(x, y, z)));
}

int SparseVoxels::touching(const Eigen::Vector3i& point, std::uint32_t (&leaves)[8]) const {
  const int step = lattice_size / resolution;
  int low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    if (point[k] < 0 || point[k] > lattice_size) return 0;
    high[k] = std::min(point[k] / step, resolution - 1);
    low[k] = point[k] % step == 0 ? std::max(point[k] / step - 1, 0) : high[k];
  }
  int count = 0;
  for (int z = low[2]; z <= high[2]; ++z)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int x = low[0]; x <= high[0]; ++x) {
        const std::uint32_t leaf = find(x, y, z);
        if (leaf != no_voxel) leaves[count++] = leaf;
      }
  std::sort(leaves, leaves + count);
  return static_cast<int>(std::unique(leaves, leaves + count) - leaves);
}

Eigen::Vector3i SparseVoxels::center(std::uint32_t voxel) const {
  return (morton_cell(code[voxel]) * (lattice_size / resolution)).array() + side(voxel) / 2;
}

SparseVoxels sparse_voxels(const Solid& solid, const std::vector<std::vector<std::uint32_t>>& bones,
                           const SparseOptions& options) {
  SparseVoxels v;
  v.resolution = solid.non_exterior.resolution;
  int top = 0;
  while ((v.resolution >> top) > options.coarsest_cells && (v.resolution >> top) > 1) ++top;
  store_leaves(leaves_of(octree_of(solid, bones, top, options.reach), solid, top), v);
  build_bricks(v);
  link_neighbors(v);
  return v;
}

}  // namespace gvbind
