#include "gvbind/volume/voxel_neighbors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "gvbind/base/parallel.h"
#include "gvbind/error.h"
#include "gvbind/volume/neighborhood26.h"

namespace gvbind {

namespace {

constexpr int brick_side = 1 << SparseVoxels::brick_level;

/// Number of leaves per unit of parallel work.
constexpr std::size_t voxels_per_block = 4096;

/// A dense copy of the leaves of one brick and its halo, one layer of finest voxels, because
/// linking reads every voxel 26 times. Coordinates are finest voxels relative to the first voxel of
/// the brick, -1 to 8.
class BrickHalo {
 public:
  explicit BrickHalo(const SparseVoxels& voxels) : v_(voxels) {}

  /// `brick`: its Morton code at brick level.
  void move_to(MortonCode brick);

  std::uint32_t leaf(int x, int y, int z) const { return leaf_[index(x, y, z)]; }

  // For a finest voxel of the brick, which of the 26 voxels around it exist (bits as in
  // neighborhood26.h):
  std::uint32_t finest(const Eigen::Vector3i& at) const { return around(finest_, at); }
  std::uint32_t boundary(const Eigen::Vector3i& at) const { return around(boundary_, at); }
  std::uint32_t larger(const Eigen::Vector3i& at) const { return around(larger_, at); }

 private:
  static constexpr int side = (1 << SparseVoxels::brick_level) + 2;
  using Rows = std::uint16_t[side * side];  ///< bit x + 1 of row (z + 1) * side + y + 1

  static int index(int x, int y, int z) { return ((z + 1) * side + y + 1) * side + x + 1; }
  static std::uint32_t around(const Rows& rows, const Eigen::Vector3i& at) {
    std::uint32_t bits = 0;
    for (int k = 0; k < 9; ++k) {
      const unsigned row = rows[(at.z() + k / 3) * side + at.y() + k % 3];
      bits |= (row >> at.x() & 7u) << (3 * k);
    }
    return bits & ~(1u << no_direction);
  }
  void load(Offset offset, std::uint32_t entry);

  const SparseVoxels& v_;
  MortonCode brick_ = ~MortonCode{0};
  std::uint32_t leaf_[side * side * side];
  Rows finest_, boundary_, larger_;
};

void BrickHalo::move_to(MortonCode brick) {
  if (brick == brick_) return;
  brick_ = brick;
  std::memset(finest_, 0, sizeof finest_);
  std::memset(boundary_, 0, sizeof boundary_);
  std::memset(larger_, 0, sizeof larger_);
  const Eigen::Vector3i at = morton_cell(brick);
  const int bricks = v_.resolution / brick_side;
  for (int d = 0; d < direction_count; ++d) {
    const Offset s = offset_of(d);
    const Eigen::Vector3i other = at + Eigen::Vector3i(s.x, s.y, s.z);
    const bool within = (other.array() >= 0).all() && (other.array() < bricks).all();
    load(s, within ? v_.brick[morton_code(other)] : no_voxel);
  }
}

/// Copies the part of a neighboring brick that lies in the halo.
void BrickHalo::load(Offset offset, std::uint32_t entry) {
  const auto from = [](int s) { return s < 0 ? -1 : s * brick_side; };
  const auto to = [](int s) { return s < 0 ? 0 : s == 0 ? brick_side : brick_side + 1; };
  for (int z = from(offset.z); z < to(offset.z); ++z)
    for (int y = from(offset.y); y < to(offset.y); ++y)
      for (int x = from(offset.x); x < to(offset.x); ++x) {
        const std::uint32_t found = v_.find_in(entry, morton_code(x & 7, y & 7, z & 7));
        leaf_[index(x, y, z)] = found;
        if (found == no_voxel) continue;
        const Leaf& leaf = v_.leaves[found];
        const int row = (z + 1) * side + y + 1;
        const auto bit = static_cast<std::uint16_t>(1u << (x + 1));
        (leaf.level == 0 ? finest_ : larger_)[row] |= bit;
        if (leaf.boundary) boundary_[row] |= bit;
      }
}

/// A leaf and a larger leaf touching it.
struct CrossPair {
  std::uint32_t small, large;
  Directions at;  ///< of the larger leaf
};

/// The larger leaves around a leaf, without duplicates.
struct Larger {
  struct Item {
    std::uint32_t voxel;
    Directions at;
  };
  std::array<Item, 26> list;
  std::size_t count = 0;

  void add(std::uint32_t voxel, int direction) {
    std::size_t k = 0;
    while (k < count && list[k].voxel != voxel) ++k;
    if (k == count) list[count++] = {voxel, 0};
    list[k].at |= 1u << direction;
  }
};

/// For leaves larger than one voxel; these and their equals are never boundary voxels. Smaller
/// neighbors find this leaf in their own pass.
template <class LeafAt>
void look_around(const SparseVoxels& v, Leaf& leaf, const LeafAt& leaf_at, Larger& larger) {
  for (int d = 0; d < direction_count; ++d) {
    if (d == no_direction) continue;
    const std::uint32_t other = leaf_at(offset_of(d));
    if (other == no_voxel || v.leaves[other].level < leaf.level) continue;
    if (v.leaves[other].level == leaf.level)
      leaf.near = (leaf.near | 1u << d) & all_directions;
    else
      larger.add(other, d);
  }
}

void look_around_in_brick(const SparseVoxels& v, Leaf& leaf, BrickHalo& view, Larger& larger) {
  view.move_to(leaf.code() / SparseVoxels::brick_voxels);
  const Eigen::Vector3i low = morton_cell(leaf.code() % SparseVoxels::brick_voxels);
  if (leaf.level > 0) {
    const int side = 1 << leaf.level;
    const auto beside = [&](int at, int step) {
      return step < 0 ? at - 1 : step > 0 ? at + side : at;
    };
    look_around(
        v, leaf,
        [&](Offset s) {
          return view.leaf(beside(low.x(), s.x), beside(low.y(), s.y), beside(low.z(), s.z));
        },
        larger);
    return;
  }
  leaf.near = view.finest(low) & 0x7ffffffu;
  leaf.near_boundary = view.boundary(low) & 0x7ffffffu;
  for (std::uint32_t rest = view.larger(low); rest != 0; rest &= rest - 1) {
    const int d = std::countr_zero(rest);
    const Offset s = offset_of(d);
    larger.add(view.leaf(low.x() + s.x, low.y() + s.y, low.z() + s.z), d);
  }
}

void look_around_large(const SparseVoxels& v, Leaf& leaf, Larger& larger) {
  const Eigen::Vector3i low = morton_cell(leaf.code());
  look_around(
      v, leaf,
      [&](Offset s) {
        const Eigen::Vector3i at = low + Eigen::Vector3i(s.x, s.y, s.z) * (1 << leaf.level);
        const bool within = (at.array() >= 0).all() && (at.array() < v.resolution).all();
        return within ? v.find(at.x(), at.y(), at.z()) : no_voxel;
      },
      larger);
}

/// Finds the same-size neighbors of all leaves; returns pairs of different sizes by block of
/// leaves. Boundary bits and neighbor bits share words, so threads write only their own leaves, and
/// store whole copies at the end.
std::vector<std::vector<CrossPair>> find_neighbors(SparseVoxels& v) {
  std::vector<std::vector<CrossPair>> pairs((v.size() + voxels_per_block - 1) / voxels_per_block);
  ZeroedArray<std::uint32_t> near(v.size()), near_boundary(v.size());
  parallel_for(pairs.size(), 1, [&](std::size_t begin, std::size_t end) {
    BrickHalo view(v);
    std::vector<CrossPair> own;
    for (std::size_t b = begin; b < end; ++b) {
      own.clear();
      for (std::size_t i = b * voxels_per_block; i < std::min(v.size(), (b + 1) * voxels_per_block);
           ++i) {
        Leaf leaf = v.leaves[i];
        Larger larger;
        if (leaf.level < SparseVoxels::brick_level)
          look_around_in_brick(v, leaf, view, larger);
        else
          look_around_large(v, leaf, larger);
        near[i] = leaf.near;
        near_boundary[i] = leaf.near_boundary;
        for (std::size_t k = 0; k < larger.count; ++k)
          own.push_back({static_cast<std::uint32_t>(i), larger.list[k].voxel, larger.list[k].at});
      }
      pairs[b] = own;  // without spare capacity
    }
  });
  parallel_for(v.size(), voxels_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      v.leaves[i].near = near[i] & 0x7ffffffu;
      v.leaves[i].near_boundary = near_boundary[i] & 0x7ffffffu;
    }
  });
  return pairs;
}

CrossLevelNeighbor link(const SparseVoxels& v, std::uint32_t from, std::uint32_t to,
                        Directions at) {
  const auto center = [&](const Leaf& leaf) -> Eigen::Vector3i {
    return 2 * morton_cell(leaf.code()).array() + (1 << leaf.level);
  };
  const Leaf &a = v.leaves[from], &b = v.leaves[to];
  const auto squared = static_cast<std::uint32_t>((center(b) - center(a)).squaredNorm());
  // 22 bits are enough for leaves up to 512 finest voxels wide; they are at most resolution / 64.
  const bool by_one = std::abs(a.level - b.level) == 1;
  return {.voxel = to,
          .squared = squared & 0x3fffffu,
          .boundary = b.boundary,
          .last = 0,
          .is_larger = b.level > a.level,
          .by_one = by_one,
          .place = (by_one ? place_of(at) : 0u) & 0x3fu};
}

/// Offset of each block's lists, and the pairs exchanged between blocks.
struct BlockLists {
  std::vector<std::uint64_t> first;
  /// By block of the larger leaf: pairs whose smaller leaf is in another block, by smaller leaf.
  std::vector<std::vector<CrossPair>> sent;
};

BlockLists share_out(const std::vector<std::vector<CrossPair>>& pairs) {
  BlockLists lists{std::vector<std::uint64_t>(pairs.size() + 1, 0),
                   std::vector<std::vector<CrossPair>>(pairs.size())};
  std::vector<std::size_t> sent(pairs.size(), 0);
  for (std::size_t b = 0; b < pairs.size(); ++b) {
    lists.first[b + 1] += pairs[b].size();
    for (const CrossPair& pair : pairs[b]) {
      const std::size_t other = pair.large / voxels_per_block;
      ++lists.first[other + 1];
      sent[other] += other != b;
    }
  }
  for (std::size_t b = 0; b < pairs.size(); ++b) lists.sent[b].reserve(sent[b]);
  for (std::size_t b = 0; b < pairs.size(); ++b)
    for (const CrossPair& pair : pairs[b])
      if (pair.large / voxels_per_block != b)
        lists.sent[pair.large / voxels_per_block].push_back(pair);
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  return lists;
}

/// Calls at(leaf, pair) for the leaves of a pair that belong to the block. Pairs of a leaf come in
/// the order of their smaller leaves, independent of the blocks.
template <class At>
void for_links(std::size_t b, const std::vector<CrossPair>& own, const std::vector<CrossPair>& sent,
               const At& at) {
  const auto later = std::partition_point(sent.begin(), sent.end(), [&](const CrossPair& pair) {
    return pair.small / voxels_per_block < b;
  });
  for (auto pair = sent.begin(); pair != later; ++pair) at(pair->large, *pair);
  for (const CrossPair& pair : own) {
    at(pair.small, pair);
    if (pair.large / voxels_per_block == b) at(pair.large, pair);
  }
  for (auto pair = later; pair != sent.end(); ++pair) at(pair->large, *pair);
}

/// Writes the lists of a block's leaves, starting at entry `first`.
void fill_block(SparseVoxels& v, std::size_t b, const std::vector<CrossPair>& own,
                const std::vector<CrossPair>& sent, std::uint32_t first) {
  std::array<std::uint32_t, voxels_per_block> count{}, next;
  for_links(b, own, sent,
            [&](std::uint32_t leaf, const CrossPair&) { ++count[leaf % voxels_per_block]; });
  for (std::size_t i = 0; i < voxels_per_block; ++i) {
    next[i] = first;
    first += count[i];
    if (count[i] > 0) v.leaves[b * voxels_per_block + i].first_cross_level = next[i];
  }
  for_links(b, own, sent, [&](std::uint32_t leaf, const CrossPair& pair) {
    const std::uint32_t other = leaf == pair.small ? pair.large : pair.small;
    CrossLevelNeighbor& to = v.cross_level[next[leaf % voxels_per_block]++];
    to = link(v, leaf, other, pair.at);
    to.last = --count[leaf % voxels_per_block] == 0;
  });
}

}  // namespace

void link_neighbors(SparseVoxels& v) {
  std::vector<std::vector<CrossPair>> pairs = find_neighbors(v);
  auto [first, sent] = share_out(pairs);
  if (first.back() >= no_voxel)
    throw Error(ErrorKind::resource, "more than 2^32 links between voxels: use a lower resolution");
  v.cross_level = ZeroedArray<CrossLevelNeighbor>(first.back());
  parallel_for(pairs.size(), 1,
               [&, &first = first, &sent = sent](std::size_t begin, std::size_t end) {
                 for (std::size_t b = begin; b < end; ++b) {
                   fill_block(v, b, pairs[b], sent[b], static_cast<std::uint32_t>(first[b]));
                   pairs[b] = sent[b] = {};
                 }
               });
}

}  // namespace gvbind
