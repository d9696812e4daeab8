#include "gvbind/sparse_neighbors.h"

#include <algorithm>
#include <atomic>

#include "gvbind/morton.h"
#include "gvbind/parallel.h"

namespace gvbind {

namespace {

constexpr std::size_t grain = 4096;

/// The leaves of the same size or larger that touch a leaf; the smaller ones find it in their turn.
struct OwnNeighbors {
  Neighbor list[26];
  int count = 0;

  void add(std::uint32_t voxel, bool same_size, int axes) {
    if (!same_size)
      for (int i = 0; i < count; ++i)
        if (list[i].voxel() == voxel) return;
    list[count++] = {voxel,
                     same_size ? static_cast<Neighbor::Contact>(axes - 1) : Neighbor::other_size};
  }
};

OwnNeighbors own_neighbors(const SparseVoxels& v, std::uint32_t voxel) {
  OwnNeighbors own;
  const int side = 1 << v.level[voxel];
  const Eigen::Vector3i low = morton_cell(v.code[voxel]);
  std::uint32_t spread[3][3];
  bool within[3][3];
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 3; ++k) {
      const int at = low[axis] + (k - 1) * side;
      within[axis][k] = at >= 0 && at < v.resolution;
      spread[axis][k] = within[axis][k] ? static_cast<std::uint32_t>(spread_bits(at) << axis) : 0;
    }
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        const int axes = (x != 1) + (y != 1) + (z != 1);
        if (axes == 0 || !within[0][x] || !within[1][y] || !within[2][z]) continue;
        const std::uint32_t other = v.find(spread[0][x] | spread[1][y] | spread[2][z]);
        if (other == no_voxel || v.level[other] < v.level[voxel]) continue;
        own.add(other, v.level[other] == v.level[voxel], axes);
      }
  return own;
}

}  // namespace

void link_neighbors(SparseVoxels& v) {
  const std::size_t count = v.size();
  v.first.assign(count + 1, 0);
  std::vector<std::uint8_t> own_count(count);
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const OwnNeighbors own = own_neighbors(v, static_cast<std::uint32_t>(i));
      own_count[i] = static_cast<std::uint8_t>(own.count);
      std::atomic_ref<std::uint32_t>(v.first[i + 1])
          .fetch_add(own.count, std::memory_order_relaxed);
      for (int k = 0; k < own.count; ++k)
        if (own.list[k].contact() == Neighbor::other_size)
          std::atomic_ref<std::uint32_t>(v.first[own.list[k].voxel() + 1])
              .fetch_add(1, std::memory_order_relaxed);
    }
  });
  for (std::size_t i = 0; i < count; ++i) v.first[i + 1] += v.first[i];
  v.neighbors.resize(v.first.back());

  // A row: the leaf's own finds, then the smaller leaves that found it.
  std::vector<std::uint32_t> next(count);
  for (std::size_t i = 0; i < count; ++i) next[i] = v.first[i] + own_count[i];
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto voxel = static_cast<std::uint32_t>(i);
      const OwnNeighbors own = own_neighbors(v, voxel);
      std::copy_n(own.list, own.count, v.neighbors.begin() + v.first[i]);
      for (int k = 0; k < own.count; ++k)
        if (own.list[k].contact() == Neighbor::other_size) {
          const std::uint32_t at = std::atomic_ref<std::uint32_t>(next[own.list[k].voxel()])
                                       .fetch_add(1, std::memory_order_relaxed);
          v.neighbors[at] = {voxel, Neighbor::other_size};
        }
    }
  });
  // The smaller ones came in any order.
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (v.level[i] > 0)
        std::sort(v.neighbors.begin() + v.first[i] + own_count[i],
                  v.neighbors.begin() + v.first[i + 1],
                  [](Neighbor a, Neighbor b) { return a.bits < b.bits; });
  });
}

}  // namespace gvbind
