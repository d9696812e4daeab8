#pragma once

// Tested by tests/unit/gvbind/bit_mipmap_test.cpp.

#include <Eigen/Core>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gvbind/base/zeroed_array.h"

namespace gvbind {

/// r^3 bits, x fastest: voxel (x, y, z) is bit x % 64 of word ((z * r + y) * words_per_row + x /
/// 64).
struct BitGrid {
  int resolution = 0;
  int words_per_row = 0;
  ZeroedArray<std::uint64_t> words;

  BitGrid() = default;
  /// Small pages by default, because most grids are nearly empty.
  explicit BitGrid(int r, Pages pages = Pages::small)
      : resolution(r),
        words_per_row((r + 63) / 64),
        words(static_cast<std::size_t>(r) * r * words_per_row,
              ZeroedAllocator<std::uint64_t>(pages)) {}

  std::size_t word_index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * resolution + y) * words_per_row + (x >> 6);
  }
  bool test(const Eigen::Vector3i& v) const { return test(v.x(), v.y(), v.z()); }
  void set(const Eigen::Vector3i& v) { set(v.x(), v.y(), v.z()); }
  void clear(const Eigen::Vector3i& v) { clear(v.x(), v.y(), v.z()); }

  bool test(int x, int y, int z) const { return (words[word_index(x, y, z)] >> (x & 63)) & 1u; }
  void set(int x, int y, int z) { words[word_index(x, y, z)] |= std::uint64_t{1} << (x & 63); }
  void clear(int x, int y, int z) { words[word_index(x, y, z)] &= ~(std::uint64_t{1} << (x & 63)); }
};

/// Calls visit(cell) for each set cell, sorted by z, y, x. It may clear that cell.
template <typename Visit>
void visit_cells(const BitGrid& cells, const Visit& visit) {
  for (int z = 0; z < cells.resolution; ++z)
    for (int y = 0; y < cells.resolution; ++y)
      for (int w = 0; w < cells.words_per_row; ++w)
        for (std::uint64_t bits = cells.words[cells.word_index(64 * w, y, z)]; bits != 0;
             bits &= bits - 1)
          visit(Eigen::Vector3i(64 * w + std::countr_zero(bits), y, z));
}

/// The votes of the three axes (equation 5): a bit is set if either view along the axis sees the
/// voxel's center as inside.
struct AxisVotes {
  BitGrid axis[3];  ///< x, y, z
};

/// The next mipmap level: half the resolution, a cell is set if any of its eight children is. The
/// resolution is even.
BitGrid coarser(const BitGrid& fine);

/// Dilation by a cube: sets all cells within Chebyshev distance `reach` of a set cell. 0 <= reach <
/// 64. Cells beyond the grid are empty.
BitGrid dilated(const BitGrid& grid, int reach);

}  // namespace gvbind
