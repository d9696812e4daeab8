#include "gvbind/solid/bit_grid.h"

#include <Eigen/Core>
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace gvbind;

namespace {

/// Random cells and all corners of the grid.
BitGrid sprinkled(int resolution, int count) {
  BitGrid grid(resolution);
  std::mt19937 random(3);
  const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(resolution)); };
  for (int i = 0; i < count; ++i) {
    const int x = any(), y = any(), z = any();
    grid.set(x, y, z);
  }
  const int last = resolution - 1;
  for (int i = 0; i < 8; ++i) grid.set(i & 1 ? last : 0, i & 2 ? last : 0, i & 4 ? last : 0);
  return grid;
}

bool any_within(const BitGrid& grid, const Eigen::Vector3i& low, const Eigen::Vector3i& high) {
  const int last = grid.resolution - 1;
  for (int z = std::max(low.z(), 0); z <= std::min(high.z(), last); ++z)
    for (int y = std::max(low.y(), 0); y <= std::min(high.y(), last); ++y)
      for (int x = std::max(low.x(), 0); x <= std::min(high.x(), last); ++x)
        if (grid.test(x, y, z)) return true;
  return false;
}

/// Checks the bits, and that bits past the end of short rows are clear.
template <typename Expected>
void check_cells(const BitGrid& grid, const Expected& expected) {
  BitGrid whole(grid.resolution);
  for (int z = 0; z < grid.resolution; ++z)
    for (int y = 0; y < grid.resolution; ++y)
      for (int x = 0; x < grid.resolution; ++x)
        if (expected(Eigen::Vector3i(x, y, z))) whole.set(x, y, z);
  CHECK(grid.words == whole.words);
}

}  // namespace

TEST_CASE("a coarser cell is set where any of its eight is") {
  for (const int resolution : {2, 16, 64, 128}) {
    const BitGrid fine = sprinkled(resolution, 300 * resolution / 16);
    const BitGrid grid = coarser(fine);
    REQUIRE(grid.resolution == resolution / 2);
    check_cells(grid, [&](const Eigen::Vector3i& cell) {
      return any_within(fine, cell * 2, (cell * 2).array() + 1);
    });
  }
}

TEST_CASE("dilated cells are those within reach of a set one", "[slow]") {
  for (const int resolution : {1, 16, 64, 128})
    for (const int reach : {0, 1, 3}) {
      const BitGrid grid = sprinkled(resolution, resolution / 2);
      check_cells(dilated(grid, reach), [&](const Eigen::Vector3i& cell) {
        return any_within(grid, cell.array() - reach, cell.array() + reach);
      });
    }
}
