#include "gvbind/volume/sparse_voxels.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "gvbind/base/morton.h"
#include "gvbind/base/parallel.h"
#include "gvbind/solid/bit_grid.h"
#include "gvbind/volume/voxel_neighbors.h"

namespace gvbind {

namespace {

/// The octree above the finest voxels as two bit pyramids, indexed by level - 1.
struct Octree {
  std::vector<BitGrid> non_exterior;
  std::vector<BitGrid> detail;  ///< boundary or bone voxels below: set nodes are split
};

void set_halved(const std::vector<std::vector<MortonCode>>& voxels, BitGrid& grid) {
  for (const std::vector<MortonCode>& codes : voxels)
    for (const MortonCode code : codes) {
      const Eigen::Vector3i cell = morton_cell(code) / 2;
      grid.set(cell);
    }
}

Octree octree_of(const Solid& solid, const std::vector<std::vector<MortonCode>>& bones, int levels,
                 int reach) {
  Octree octree;
  BitGrid plain;
  for (int level = 1; level <= levels; ++level) {
    plain = coarser(level == 1 ? solid.boundary : plain);
    if (level == 1) set_halved(bones, plain);
    BitGrid split = dilated(plain, reach);
    if (level > 1) {
      const BitGrid below = coarser(octree.detail.back());
      for (std::size_t i = 0; i < split.words.size(); ++i)
        if (below.words[i] != 0) split.words[i] |= below.words[i];
    }
    octree.detail.push_back(std::move(split));
    octree.non_exterior.push_back(
        coarser(level == 1 ? solid.non_exterior : octree.non_exterior.back()));
  }
  return octree;
}

Leaf leaf_at(MortonCode code, int level, bool boundary) {
  Leaf leaf;
  leaf.code_low = static_cast<std::uint32_t>(code);
  leaf.code_high = code >> 32 & 0xf;
  leaf.level = static_cast<unsigned>(level) & 0x1f;
  leaf.boundary = boundary;
  return leaf;
}

void collect_leaves(const Octree& octree, const Solid& solid, const Eigen::Vector3i& cell,
                    MortonCode code, int level, std::vector<Leaf>& leaves) {
  const BitGrid& occupied = level == 0 ? solid.non_exterior : octree.non_exterior[level - 1];
  if (!occupied.test(cell)) return;
  if (level > 0 && octree.detail[level - 1].test(cell)) {
    for (int i = 0; i < 8; ++i)
      collect_leaves(octree, solid, cell * 2 + Eigen::Vector3i(i & 1, i >> 1 & 1, i >> 2),
                     code * 8 + i, level - 1, leaves);
    return;
  }
  const bool boundary = level == 0 && solid.boundary.test(cell);
  leaves.push_back(leaf_at(code << (3 * level), level, boundary));
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

void store_leaves(std::vector<std::vector<Leaf>> blocks, SparseVoxels& v) {
  std::vector<std::size_t> first = {0};
  for (const std::vector<Leaf>& block : blocks) first.push_back(first.back() + block.size());
  v.leaves = ZeroedArray<Leaf>(first.back());
  parallel_for(blocks.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      std::copy(blocks[b].begin(), blocks[b].end(), v.leaves.begin() + first[b]);
      blocks[b] = {};
    }
  });
}

/// By split brick, its first leaf; fills the unsplit ones.
std::vector<std::uint32_t> first_leaves_of_tables(SparseVoxels& v) {
  constexpr int brick_level = SparseVoxels::brick_level, brick_voxels = SparseVoxels::brick_voxels;
  constexpr std::size_t block = 1 << 14;
  std::vector<std::vector<std::uint32_t>> found((v.size() + block - 1) / block);
  parallel_for(found.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * block; i < std::min(v.size(), end * block); ++i) {
      const Leaf& leaf = v.leaves[i];
      const MortonCode brick = leaf.code() / brick_voxels;
      if (leaf.level >= brick_level)
        std::fill_n(&v.brick[brick], std::size_t{1} << (3 * (leaf.level - brick_level)),
                    static_cast<std::uint32_t>(i));
      else if (i == 0 || v.leaves[i - 1].code() / brick_voxels != brick)
        found[i / block].push_back(static_cast<std::uint32_t>(i));
    }
  });
  std::vector<std::uint32_t> first;
  for (const std::vector<std::uint32_t>& some : found)
    first.insert(first.end(), some.begin(), some.end());
  return first;
}

void build_bricks(SparseVoxels& v) {
  constexpr int brick_voxels = SparseVoxels::brick_voxels;
  const auto side = static_cast<std::size_t>(v.resolution >> SparseVoxels::brick_level);
  v.brick.assign(side * side * side, no_voxel);
  v.table_first = first_leaves_of_tables(v);
  v.brick_cells = ZeroedArray<std::uint16_t>(v.table_first.size() * brick_voxels);
  parallel_for(v.table_first.size(), 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t table = begin; table < end; ++table) {
      const std::uint32_t first = v.table_first[table];
      const MortonCode brick = v.leaves[first].code() / brick_voxels;
      v.brick[brick] = SparseVoxels::brick_table | static_cast<std::uint32_t>(table);
      std::uint16_t* const cells = &v.brick_cells[table * brick_voxels];
      std::fill_n(cells, brick_voxels, SparseVoxels::no_cell);
      for (std::uint32_t i = first; i < v.size() && v.leaves[i].code() / brick_voxels == brick; ++i)
        std::fill_n(cells + v.leaves[i].code() % brick_voxels,
                    std::size_t{1} << (3 * v.leaves[i].level),
                    static_cast<std::uint16_t>(i - first));
    }
  });
}

}  // namespace

std::uint32_t SparseVoxels::find(int x, int y, int z) const { return find(morton_code(x, y, z)); }

int SparseVoxels::touching(const Eigen::Vector3i& point, std::uint32_t (&found)[8]) const {
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
        if (leaf != no_voxel) found[count++] = leaf;
      }
  std::sort(found, found + count);
  return static_cast<int>(std::unique(found, found + count) - found);
}

Eigen::Vector3i SparseVoxels::center(std::uint32_t voxel) const {
  return (morton_cell(leaves[voxel].code()) * (lattice_size / resolution)).array() +
         side(voxel) / 2;
}

SparseVoxels voxels_of_leaves(int resolution, ZeroedArray<Leaf> leaves) {
  SparseVoxels v;
  v.resolution = resolution;
  v.leaves = std::move(leaves);
  build_bricks(v);
  return v;
}

SparseVoxels sparse_voxels(Solid solid, const std::vector<std::vector<MortonCode>>& bones,
                           const SparseOptions& options) {
  SparseVoxels v;
  v.resolution = solid.non_exterior.resolution;
  int top = 0;
  while ((v.resolution >> top) > options.coarsest_cells && (v.resolution >> top) > 1) ++top;
  store_leaves(leaves_of(octree_of(solid, bones, top, options.reach), solid, top), v);
  solid = {};  // frees memory for the leaves
  build_bricks(v);
  link_neighbors(v);
  return v;
}

}  // namespace gvbind
