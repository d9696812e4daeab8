#include "gvbind/solid/ambiguous_voxels.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/continued_winding.h"
#include "gvbind/prepare/winding_expansion.h"
#include "gvbind/solid/bit_grid.h"
#include "gvbind/solid/voxel_block.h"

namespace gvbind {

namespace {

constexpr int block_level = 3;
static_assert(VoxelBlock::side == 1 << block_level);
/// One winding number costs about as much as testing the edges of this number of triangles for
/// openness.
constexpr std::size_t triangles_per_query = 20;
/// Cubes of this side within a block get their own expansion for at least this number of queries.
/// Fewer queries are cheaper one by one, without a slope from the edges.
constexpr int expanded_side = 4, expanded_voxels = 8;

/// Counters of one thread.
struct Counts {
  std::size_t queries = 0, interior = 0;
};

/// The single votes of a cell become interior. Threads may share words of neighboring cells.
void make_interior(VotedSolid& voted, const Eigen::Vector3i& low, int side, Counts& counts) {
  const std::uint64_t row = ((std::uint64_t{1} << side) - 1) << (low.x() & 63);
  for (int z = low.z(); z < low.z() + side; ++z)
    for (int y = low.y(); y < low.y() + side; ++y) {
      const std::size_t word = voted.ambiguous.word_index(low.x(), y, z);
      const std::uint64_t bits = voted.ambiguous.words[word] & row;
      if (bits == 0) continue;
      counts.interior += static_cast<std::size_t>(std::popcount(bits));
      std::atomic_ref(voted.solid.non_exterior.words[word])
          .fetch_or(bits, std::memory_order_relaxed);
    }
}

VoxelBlock load_block(const BitGrid& grid, const Eigen::Vector3i& low) {
  VoxelBlock block;
  for (int z = 0; z < VoxelBlock::side; ++z)
    for (int y = 0; y < VoxelBlock::side; ++y) {
      const std::uint64_t word = grid.words[grid.word_index(low.x(), low.y() + y, low.z() + z)];
      block.slices[z] |= (word >> (low.x() & 63) & 0xff) << (8 * y);
    }
  return block;
}

void store_interior(VotedSolid& voted, const Eigen::Vector3i& low, const VoxelBlock& block,
                    Counts& counts) {
  counts.interior += static_cast<std::size_t>(block.count());
  BitGrid& grid = voted.solid.non_exterior;
  for (int z = 0; z < VoxelBlock::side; ++z)
    for (int y = 0; y < VoxelBlock::side; ++y) {
      const std::uint64_t row = block.slices[z] >> (8 * y) & 0xff;
      if (row == 0) continue;
      std::atomic_ref(grid.words[grid.word_index(low.x(), low.y() + y, low.z() + z)])
          .fetch_or(row << (low.x() & 63), std::memory_order_relaxed);
    }
}

Eigen::Vector3d middle_of(const Eigen::Vector3i& low, int side) {
  return low.cast<double>().array() + side / 2.0;
}
/// From the center of a cube to the center of its furthest voxel, in voxels.
double half_diagonal(int side) { return std::sqrt(0.75) * (side - 1); }

/// The winding number at a point and its slope per voxel around it, ignoring jumps at the surface.
/// Points: voxels.
struct Known {
  double winding, slope;
  Eigen::Vector3d at;
};

/// A cube of voxels in a block; `low`: its lowest corner.
struct BlockCube {
  Eigen::Vector3i low;
  int side;
  BlockCube child(int i) const {
    return {low + Eigen::Vector3i(i & 1, i >> 1 & 1, i >> 2) * (side / 2), side / 2};
  }
};

/// Classifies the voxels of cells, one cell at a time.
class CellDecider {
 public:
  CellDecider(VotedSolid& voted, const ContinuedWinding& winding, const AmbiguousOptions& options,
              Counts& counts)
      : voted_(voted),
        winding_(winding),
        counts_(counts),
        voxel_(voxel_size(voted.ambiguous.resolution)),
        margin_(winding.error() + options.reserve) {}

  /// `ambiguous`, `boundary`: by level, starting at block_level.
  void decide(const std::vector<BitGrid>& ambiguous, const std::vector<BitGrid>& boundary,
              const Eigen::Vector3i& cell, int level, std::optional<Known> known = {},
              const WindingExpansion* around = nullptr) {
    const std::size_t above = static_cast<std::size_t>(level - block_level);
    if (!ambiguous[above].test(cell)) return;
    const int side = 1 << level;
    const Eigen::Vector3d middle = middle_of(cell * side, side);
    std::optional<WindingExpansion> expansion = expansion_of(middle, side, around);
    const UseExpansion use(expansion_, expansion);
    if (level == block_level) {
      decide_block(cell * VoxelBlock::side, known);
      return;
    }
    if (known) {
      known = continued(*known, middle);
    } else if (!boundary[above].test(cell)) {
      const double slope = slope_within(middle, side);
      if (slope * half_diagonal(side) <= ContinuedWinding::max_change)
        known = Known{winding_at(middle), slope, middle};
    }
    if (known && is_sure(*known, half_diagonal(side))) {
      if (known->winding > 0.5) make_interior(voted_, cell * side, side, counts_);
      return;
    }
    for (int i = 0; i < 8; ++i)
      decide(ambiguous, boundary, cell * 2 + Eigen::Vector3i(i & 1, i >> 1 & 1, i >> 2), level - 1,
             known, expansion ? &*expansion : nullptr);
  }

 private:
  /// Sets the active expansion for its lifetime; without a new one the outer one stays active.
  struct UseExpansion {
    UseExpansion(WindingExpansion*& used, std::optional<WindingExpansion>& other)
        : at(used), before(used) {
      if (other) at = &*other;
    }
    ~UseExpansion() { at = before; }
    UseExpansion(const UseExpansion&) = delete;
    UseExpansion& operator=(const UseExpansion&) = delete;
    WindingExpansion*& at;
    WindingExpansion* before;
  };
  /// For the voxel centers of a cube, if open edges do not determine winding numbers.
  std::optional<WindingExpansion> expansion_of(const Eigen::Vector3d& middle, int side,
                                               const WindingExpansion* around) const {
    if (!winding_.sources()) return {};
    const WindingExpansion::Ball ball{middle * voxel_, half_diagonal(side) * voxel_};
    return around ? WindingExpansion(*around, ball) : WindingExpansion(*winding_.sources(), ball);
  }
  std::optional<WindingExpansion> inner_expansion(const BlockCube& cube,
                                                  const VoxelBlock& open) const {
    if (!expansion_ || cube.side != expanded_side || open.count() < expanded_voxels) return {};
    return expansion_of(middle_of(origin_ + cube.low, cube.side), cube.side, expansion_);
  }

  double winding_at(const Eigen::Vector3d& point) {
    ++counts_.queries;
    return expansion_ ? expansion_->at(point * voxel_) : winding_.at(point * voxel_);
  }
  Known continued(const Known& from, const Eigen::Vector3d& to) {
    if (expansion_) return {winding_at(to), from.slope, to};
    ++counts_.queries;
    const double change = from.slope * (to - from.at).norm();
    return {winding_.near(to * voxel_, from.winding, change), from.slope, to};
  }
  /// Slope per voxel among the voxel centers of a cube; arbitrary if too large to be useful.
  double slope_within(const Eigen::Vector3d& middle, int side) const {
    const double most = ContinuedWinding::max_change / half_diagonal(side);
    return winding_.edges().slope(middle * voxel_, half_diagonal(side) * voxel_, most / voxel_) *
           voxel_;
  }
  /// Whether all points reachable without crossing the surface, within `reach` voxels, are on the
  /// same side of w = 1/2.
  bool is_sure(const Known& known, double reach) const {
    return std::abs(known.winding - 0.5) > known.slope * reach + margin_;
  }

  void decide_block(const Eigen::Vector3i& origin, const std::optional<Known>& known) {
    origin_ = origin;
    interior_ = {};
    const VoxelBlock asked = load_block(voted_.ambiguous, origin);
    const BlockCube all{{0, 0, 0}, VoxelBlock::side};
    if (known) {
      follow(all, asked, *known);
    } else {
      free_ = block_cube(all.low, all.side).without(load_block(voted_.solid.boundary, origin));
      decide_cube(all, asked);
    }
    store_interior(voted_, origin, interior_, counts_);
  }

  /// Without a known winding number nearby. Each connected component of non-boundary voxels needs
  /// one query of the mesh, if the slope is small enough that the whole number is the same for all
  /// its voxels.
  void decide_cube(const BlockCube& cube, const VoxelBlock& asked) {
    const VoxelBlock bits = block_cube(cube.low, cube.side);
    VoxelBlock open = asked & bits;
    if (open.empty()) return;
    const Eigen::Vector3d middle = middle_of(origin_ + cube.low, cube.side);
    if (cube.side == 1) {
      if (winding_at(middle) > 0.5) interior_ |= open;
      return;
    }
    if (expansion_ && open.count() <= expanded_voxels) {
      open.each([&](const Eigen::Vector3i& voxel) {
        if (winding_at(middle_of(origin_ + voxel, 1)) > 0.5) interior_ |= block_cube(voxel, 1);
      });
      return;
    }
    std::optional<WindingExpansion> inner = inner_expansion(cube, open);
    const UseExpansion use(expansion_, inner);
    const double slope = slope_within(middle, cube.side);
    if (slope * half_diagonal(cube.side) > ContinuedWinding::max_change) {
      for (int i = 0; i < 8; ++i) decide_cube(cube.child(i), open);
      return;
    }
    while (!open.empty()) {
      const Eigen::Vector3i from = nearest_to_middle(cube, open);
      const VoxelBlock part = reached(block_cube(from, 1), free_ & bits);
      const Eigen::Vector3d at = middle_of(origin_ + from, 1);
      follow(cube, open & part, {winding_at(at), slope, at});
      open = open.without(part);
    }
  }

  static Eigen::Vector3i nearest_to_middle(const BlockCube& cube, const VoxelBlock& voxels) {
    const Eigen::Vector3i twice = cube.low * 2 + Eigen::Vector3i::Constant(cube.side - 1);
    Eigen::Vector3i nearest = cube.low;
    int least = std::numeric_limits<int>::max();
    voxels.each([&](const Eigen::Vector3i& voxel) {
      const int distance = (voxel * 2 - twice).squaredNorm();
      if (distance < least) {
        least = distance;
        nearest = voxel;
      }
    });
    return nearest;
  }

  /// Continues a winding number known nearby. Without a query at the center if the cube has few
  /// voxels.
  void follow(const BlockCube& cube, const VoxelBlock& asked, const Known& beside) {
    constexpr int few = 2;
    const VoxelBlock open = asked & block_cube(cube.low, cube.side);
    const int count = open.count();
    if (count == 0) return;
    if (count <= few) {
      open.each([&](const Eigen::Vector3i& voxel) {
        if (continued(beside, middle_of(origin_ + voxel, 1)).winding > 0.5)
          interior_ |= block_cube(voxel, 1);
      });
      return;
    }
    std::optional<WindingExpansion> inner = inner_expansion(cube, open);
    const UseExpansion use(expansion_, inner);
    const Known here = continued(beside, middle_of(origin_ + cube.low, cube.side));
    if (is_sure(here, half_diagonal(cube.side))) {
      if (here.winding > 0.5) interior_ |= open;
      return;
    }
    for (int i = 0; i < 8; ++i) follow(cube.child(i), open, here);
  }

  VotedSolid& voted_;
  const ContinuedWinding& winding_;
  WindingExpansion* expansion_ = nullptr;  ///< of the smallest enclosing cell that has one
  Counts& counts_;
  double voxel_;  ///< lattice steps
  double margin_;
  // State of the current block:
  Eigen::Vector3i origin_ = Eigen::Vector3i::Zero();
  VoxelBlock free_, interior_;
};

/// From block_level to `top`: the cells with a set bit.
std::vector<BitGrid> mipmap(const BitGrid& grid, int top) {
  std::vector<BitGrid> levels;
  BitGrid level;
  for (int i = 1; i <= top; ++i) {
    level = coarser(i == 1 ? grid : level);
    if (i >= block_level) levels.push_back(level);
  }
  return levels;
}

std::vector<Eigen::Vector3i> cells_of(const BitGrid& grid) {
  std::vector<Eigen::Vector3i> cells;
  for (int z = 0; z < grid.resolution; ++z)
    for (int y = 0; y < grid.resolution; ++y)
      for (int x = 0; x < grid.resolution; ++x)
        if (grid.test(x, y, z)) cells.emplace_back(x, y, z);
  return cells;
}

/// Calls decide(item, counts) for all items on all threads.
template <class Decide>
std::size_t count_over(VotedSolid& voted, std::size_t items, const Decide& decide) {
  std::atomic<std::size_t> queries{0}, interior{0};
  parallel_for(items, 1, [&](std::size_t begin, std::size_t end) {
    Counts counts;
    for (std::size_t i = begin; i < end; ++i) decide(i, counts);
    queries += counts.queries;
    interior += counts.interior;
  });
  voted.solid.ambiguous_interior = interior;
  voted.solid.interior_voxels += interior;
  return queries;
}

std::size_t ask_every_voxel(VotedSolid& voted, const WindingTree& winding) {
  const BitGrid& grid = voted.ambiguous;
  const double voxel = voxel_size(grid.resolution);
  return count_over(voted, static_cast<std::size_t>(grid.resolution),
                    [&](std::size_t slice, Counts& counts) {
                      const auto z = static_cast<int>(slice);
                      for (int y = 0; y < grid.resolution; ++y)
                        for (int w = 0; w < grid.words_per_row; ++w)
                          for (std::uint64_t bits = grid.words[grid.word_index(w * 64, y, z)];
                               bits != 0; bits &= bits - 1) {
                            const Eigen::Vector3i at(w * 64 + std::countr_zero(bits), y, z);
                            ++counts.queries;
                            if (winding(middle_of(at, 1) * voxel) > 0.5)
                              make_interior(voted, at, 1, counts);
                          }
                    });
}

}  // namespace

std::size_t resolve_ambiguous_voxels(VotedSolid& voted, const LatticeMesh& mesh,
                                     const WindingTree& tree, const AmbiguousOptions& options) {
  const std::size_t votes = voted.solid.ambiguous_voxels;
  if (votes == 0) return 0;
  const int top = std::min(options.coarsest_level,
                           std::countr_zero(static_cast<unsigned>(voted.ambiguous.resolution)));
  if (top < block_level || votes * triangles_per_query < mesh.triangles.size())
    return ask_every_voxel(voted, tree);
  const ContinuedWinding winding(mesh, tree);
  const std::vector<BitGrid> ambiguous = mipmap(voted.ambiguous, top),
                             boundary = mipmap(voted.solid.boundary, top);
  const std::vector<Eigen::Vector3i> cells = cells_of(ambiguous.back());
  const std::size_t queries = count_over(voted, cells.size(), [&](std::size_t i, Counts& counts) {
    CellDecider(voted, winding, options, counts).decide(ambiguous, boundary, cells[i], top);
  });
  return queries;
}

}  // namespace gvbind
