#include "gvbind/solid/ambiguous_voxels.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

namespace {

constexpr int max_free = 3;

/// The winding number at the center up to which a cell of `level` with that many free cells around
/// it is outside as a whole.
double sure_outside(int level, int free_cells, double reserve) {
  const double radius = free_cells + 0.5;
  const double farthest = std::sqrt(0.75) * (1.0 - std::ldexp(1.0, -level));
  const double rest = radius - farthest;
  return std::min(0.5, 0.5 * rest * rest / (radius * (radius + farthest)) - reserve);
}

/// What one thread counts.
struct Counts {
  std::size_t queries = 0, interior = 0;
};

class Cells {
  struct Near {
    BitGrid cells;  ///< with a boundary voxel so many cells around them, or less
    double sure;    ///< sure_outside of the others
  };

 public:
  Cells(VotedSolid& voted, const WindingTree& winding, const AmbiguousOptions& options)
      : voted_(voted), winding_(winding) {
    const auto resolution = static_cast<unsigned>(voted.ambiguous.resolution);
    top_ = std::min(options.coarsest_level, std::countr_zero(resolution));
    BitGrid boundary;
    for (int level = 1; level <= top_; ++level) {
      ambiguous_.push_back(coarser(ambiguous(level - 1)));
      boundary = coarser(level == 1 ? voted.solid.boundary : boundary);
      for (int free_cells = 1; free_cells <= max_free; ++free_cells)
        near_.push_back(
            {dilated(boundary, free_cells), sure_outside(level, free_cells, options.reserve)});
    }
  }

  std::vector<Eigen::Vector3i> top_cells() const {
    std::vector<Eigen::Vector3i> cells;
    const BitGrid& grid = ambiguous(top_);
    for (int z = 0; z < grid.resolution; ++z)
      for (int y = 0; y < grid.resolution; ++y)
        for (int x = 0; x < grid.resolution; ++x)
          if (grid.test(x, y, z)) cells.emplace_back(x, y, z);
    return cells;
  }

  void decide_top(const Eigen::Vector3i& cell, Counts& counts) { decide(cell, top_, counts); }

 private:
  const BitGrid& ambiguous(int level) const {
    return level == 0 ? voted_.ambiguous : ambiguous_[static_cast<std::size_t>(level - 1)];
  }

  /// Up to which value at its center the cell is outside; less than 0 where none will do.
  double sure(const Eigen::Vector3i& cell, int level) const {
    double value = -1.0;
    for (int k = 0; k < max_free; ++k) {
      const Near& near = near_[static_cast<std::size_t>((level - 1) * max_free + k)];
      if (near.cells.test(cell)) break;
      value = near.sure;
    }
    return value;
  }

  double winding_at_center(const Eigen::Vector3i& cell, int level, Counts& counts) const {
    ++counts.queries;
    const double side = voxel_size(voted_.ambiguous.resolution) * (1 << level);
    return winding_((cell.cast<double>().array() + 0.5) * side);
  }

  void decide(const Eigen::Vector3i& cell, int level, Counts& counts) {
    if (!ambiguous(level).test(cell)) return;
    if (level == 0) {
      if (winding_at_center(cell, 0, counts) > 0.5) make_interior(cell, 0, counts);
      return;
    }
    const double limit = sure(cell, level);
    if (limit >= 0.0) {
      const double winding = winding_at_center(cell, level, counts);
      if (winding >= 1.0 - limit) make_interior(cell, level, counts);
      if (winding <= limit || winding >= 1.0 - limit) return;
    }
    for (int i = 0; i < 8; ++i)
      decide(cell * 2 + Eigen::Vector3i(i & 1, i >> 1 & 1, i >> 2), level - 1, counts);
  }

  /// All single votes of a cell. Cells of several threads share words.
  void make_interior(const Eigen::Vector3i& cell, int level, Counts& counts) {
    const int side = 1 << level;
    const Eigen::Vector3i low = cell * side;
    const std::uint64_t row = ((std::uint64_t{1} << side) - 1) << (low.x() & 63);
    for (int z = low.z(); z < low.z() + side; ++z)
      for (int y = low.y(); y < low.y() + side; ++y) {
        const std::size_t word = voted_.ambiguous.word_index(low.x(), y, z);
        const std::uint64_t bits = voted_.ambiguous.words[word] & row;
        if (bits == 0) continue;
        counts.interior += static_cast<std::size_t>(std::popcount(bits));
        std::atomic_ref(voted_.solid.non_exterior.words[word])
            .fetch_or(bits, std::memory_order_relaxed);
      }
  }

  VotedSolid& voted_;
  const WindingTree& winding_;
  int top_ = 0;
  std::vector<BitGrid> ambiguous_;  ///< [level - 1]: the cell holds a single vote
  std::vector<Near> near_;          ///< [(level - 1) * max_free + free cells - 1]
};

}  // namespace

std::size_t resolve_ambiguous_voxels(VotedSolid& voted, const WindingTree& winding,
                                     const AmbiguousOptions& options) {
  if (voted.solid.ambiguous_voxels == 0) return 0;
  Cells cells(voted, winding, options);
  const std::vector<Eigen::Vector3i> top = cells.top_cells();
  std::atomic<std::size_t> queries{0}, interior{0};
  parallel_for(top.size(), 1, [&](std::size_t begin, std::size_t end) {
    Counts counts;
    for (std::size_t i = begin; i < end; ++i) cells.decide_top(top[i], counts);
    queries += counts.queries;
    interior += counts.interior;
  });
  voted.solid.ambiguous_interior = interior;
  voted.solid.interior_voxels += interior;
  return queries;
}

}  // namespace gvbind
