#include "gvbind/sparse_neighbors.h"

#include <algorithm>
#include <array>
#include <bit>

#include "gvbind/brick_view.h"
#include "gvbind/directions.h"
#include "gvbind/error.h"
#include "gvbind/parallel.h"

namespace gvbind {

namespace {

/// A leaf and a larger one that it touches.
struct Pair {
  std::uint32_t small, large;
  Directions at;  ///< of the larger
};

/// The larger leaves around one, each once.
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

/// For a leaf of more than one voxel, so that it and its like are no boundary voxels. Smaller
/// neighbors find it in their turn.
template <class LeafAt>
void look_around(const SparseVoxels& v, Leaf& leaf, const LeafAt& leaf_at, Larger& larger) {
  for (int d = 0; d < direction_count; ++d) {
    if (d == nowhere) continue;
    const std::uint32_t other = leaf_at(step_of(d));
    if (other == no_voxel || v.leaves[other].level < leaf.level) continue;
    if (v.leaves[other].level == leaf.level)
      leaf.near = (leaf.near | 1u << d) & all_directions;
    else
      larger.add(other, d);
  }
}

void look_around_in_brick(const SparseVoxels& v, Leaf& leaf, BrickView& view, Larger& larger) {
  view.move_to(leaf.code() / SparseVoxels::brick_voxels);
  const Eigen::Vector3i low = morton_cell(leaf.code() % SparseVoxels::brick_voxels);
  if (leaf.level > 0) {
    const int side = 1 << leaf.level;
    const auto beside = [&](int at, int step) {
      return step < 0 ? at - 1 : step > 0 ? at + side : at;
    };
    look_around(
        v, leaf,
        [&](Step s) {
          return view.leaf(beside(low.x(), s.x), beside(low.y(), s.y), beside(low.z(), s.z));
        },
        larger);
    return;
  }
  leaf.near = view.finest(low) & 0x7ffffffu;
  leaf.near_boundary = view.boundary(low) & 0x7ffffffu;
  for (std::uint32_t rest = view.larger(low); rest != 0; rest &= rest - 1) {
    const int d = std::countr_zero(rest);
    const Step s = step_of(d);
    larger.add(view.leaf(low.x() + s.x, low.y() + s.y, low.z() + s.z), d);
  }
}

void look_around_large(const SparseVoxels& v, Leaf& leaf, Larger& larger) {
  const Eigen::Vector3i low = morton_cell(leaf.code());
  look_around(
      v, leaf,
      [&](Step s) {
        const Eigen::Vector3i at = low + Eigen::Vector3i(s.x, s.y, s.z) * (1 << leaf.level);
        const bool within = (at.array() >= 0).all() && (at.array() < v.resolution).all();
        return within ? v.find(at.x(), at.y(), at.z()) : no_voxel;
      },
      larger);
}

/// The neighbors of the same size of all leaves; returns the pairs of different sizes, by blocks of
/// leaves. Bits of boundary voxels are read and bits of neighbors written in one word, so the
/// leaves that a thread writes are its own and copies are stored whole at the end.
std::vector<std::vector<Pair>> find_neighbors(SparseVoxels& v) {
  constexpr std::size_t block = 4096;
  std::vector<std::vector<Pair>> pairs((v.size() + block - 1) / block);
  std::vector<std::uint32_t> near(v.size()), near_boundary(v.size());
  parallel_for(pairs.size(), 1, [&](std::size_t begin, std::size_t end) {
    BrickView view(v);
    for (std::size_t b = begin; b < end; ++b)
      for (std::size_t i = b * block; i < std::min(v.size(), (b + 1) * block); ++i) {
        Leaf leaf = v.leaves[i];
        Larger larger;
        if (leaf.level < SparseVoxels::brick_level)
          look_around_in_brick(v, leaf, view, larger);
        else
          look_around_large(v, leaf, larger);
        near[i] = leaf.near;
        near_boundary[i] = leaf.near_boundary;
        for (std::size_t k = 0; k < larger.count; ++k)
          pairs[b].push_back(
              {static_cast<std::uint32_t>(i), larger.list[k].voxel, larger.list[k].at});
      }
  });
  parallel_for(v.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      v.leaves[i].near = near[i] & 0x7ffffffu;
      v.leaves[i].near_boundary = near_boundary[i] & 0x7ffffffu;
    }
  });
  return pairs;
}

OtherSize link(const SparseVoxels& v, std::uint32_t from, std::uint32_t to, Directions at) {
  const auto center = [&](const Leaf& leaf) -> Eigen::Vector3i {
    return 2 * morton_cell(leaf.code()).array() + (1 << leaf.level);
  };
  const Leaf &a = v.leaves[from], &b = v.leaves[to];
  const auto squared = static_cast<std::uint32_t>((center(b) - center(a)).squaredNorm());
  return {to, squared & 0x3fffffffu, b.boundary, 0, at & all_directions, b.level > a.level};
}

}  // namespace

void link_neighbors(SparseVoxels& v) {
  const std::vector<std::vector<Pair>> pairs = find_neighbors(v);
  std::vector<std::uint32_t> next(v.size() + 1, 0);
  std::uint64_t count = 0;
  for (const std::vector<Pair>& block : pairs) {
    count += 2 * block.size();
    for (const Pair& pair : block) {
      ++next[pair.small + 1];
      ++next[pair.large + 1];
    }
  }
  if (count >= no_voxel)
    throw Error(ErrorKind::resource, "2^32 links between voxels: a lower resolution, please");
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (next[i + 1] > 0) v.leaves[i].first_other = next[i];
    next[i + 1] += next[i];
  }
  v.others.resize(count);
  for (const std::vector<Pair>& block : pairs)
    for (const Pair& pair : block) {
      v.others[next[pair.small]++] = link(v, pair.small, pair.large, pair.at);
      v.others[next[pair.large]++] = link(v, pair.large, pair.small, pair.at);
    }
  for (std::size_t i = 0; i < v.size(); ++i)
    if (v.leaves[i].first_other != no_voxel) v.others[next[i] - 1].last = 1;
}

}  // namespace gvbind
