#include "gvbind/solid/voxel_edits.h"

#include <catch2/catch.hpp>
#include <queue>
#include <random>

using namespace gvbind;

namespace {

constexpr int r = 64;
/// A voxel is one unit wide; voxel (x, y, z) has its center at (x, y, z) + 0.5.
const UnitCube cube{{r / 2.0, r / 2.0, r / 2.0}, double(lattice_size) / r};

Primitive box(double x, double y, double z, double to_x, double to_y, double to_z) {
  return {Primitive::Kind::box, {x, y, z}, {to_x, to_y, to_z}};
}

/// The walls of a hollow box from 10 to 30, one voxel thick; without its upper side if `open`.
Solid hollow_box(bool open) {
  Solid solid{BitGrid(r), BitGrid(r)};
  for (int z = 10; z < 30; ++z)
    for (int y = 10; y < 30; ++y)
      for (int x = 10; x < 30; ++x) {
        const bool wall = x == 10 || x == 29 || y == 10 || z == 10 || z == 29 || (y == 29 && !open);
        if (!wall) continue;
        solid.boundary.set(x, y, z);
        solid.non_exterior.set(x, y, z);
      }
  return solid;
}

/// A reference: flood fill from outside, voxel by voxel.
BitGrid slow_flood(const BitGrid& solid) {
  const int n = solid.resolution;
  BitGrid open(n);
  std::queue<Eigen::Vector3i> work;
  const auto enter = [&](const Eigen::Vector3i& v) {
    if (v.minCoeff() < 0 || v.maxCoeff() >= n || solid.test(v) || open.test(v)) return;
    open.set(v);
    work.push(v);
  };
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        if (Eigen::Array3i(x, y, z).minCoeff() == 0 || Eigen::Array3i(x, y, z).maxCoeff() == n - 1)
          enter({x, y, z});
  for (; !work.empty(); work.pop())
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) enter(work.front() + step * Eigen::Vector3i::Unit(axis));
  return open;
}

bool same(const BitGrid& a, const BitGrid& b) {
  return std::equal(a.words.begin(), a.words.end(), b.words.begin(), b.words.end());
}

}  // namespace

TEST_CASE("edits change voxels in turn, and later ones win") {
  Solid solid = hollow_box(false);
  const std::vector<VolumeEdit> edits = {{EditKind::add, box(40, 40, 40, 50, 50, 50)},
                                         {EditKind::cut, box(45, 40, 40, 60, 50, 50)},
                                         {EditKind::add, box(48, 40, 40, 50, 50, 50)},
                                         {EditKind::cut, box(10, 10, 10, 12, 12, 12)},
                                         {EditKind::cut, box(0, 0, 0, 5, 5, 5)}};
  const VoxelEdits done = apply_edits(edits, cube, solid);
  CHECK(solid.non_exterior.test(44, 45, 45));
  CHECK_FALSE(solid.non_exterior.test(46, 45, 45));
  CHECK(solid.non_exterior.test(48, 45, 45));
  CHECK_FALSE(solid.boundary.test(48, 45, 45));
  CHECK_FALSE(solid.non_exterior.test(11, 10, 11));
  CHECK_FALSE(solid.boundary.test(11, 10, 11));
  // 1000 voxels are added, half of them cut, and two fifths of those added again.
  CHECK(done.changed == std::vector<std::size_t>{1000, 500, 200, 7, 0});
  CHECK(done.cut.size() == 7);  // corner voxels of the wall
  CHECK(std::ranges::is_sorted(done.cut));
  CHECK(solid.interior_voxels == 700);
  CHECK(solid.boundary_voxels == 20 * 20 * 20 - 18 * 18 * 18 - 7);
}

TEST_CASE("a seal closes a hole, and the enclosed space becomes interior") {
  Solid solid = hollow_box(true);
  const std::size_t walls = 20 * 20 * 20 - 18 * 19 * 18;
  const VolumeEdit lid{EditKind::seal, box(5, 28, 5, 35, 30, 35)};
  apply_edits({&lid, 1}, cube, solid);
  CHECK(solid.non_exterior.test(20, 20, 20));
  CHECK_FALSE(solid.boundary.test(20, 20, 20));
  CHECK(solid.boundary.test(20, 29, 20));
  CHECK_FALSE(solid.non_exterior.test(20, 31, 20));
  CHECK(solid.interior_voxels == 18 * 17 * 18);
  CHECK(solid.boundary_voxels == walls + 30 * 2 * 30 - (20 * 20 * 2 - 18 * 18 * 2));
}

TEST_CASE("a seal beside the hole fills nothing, and neither does one of a closed hollow") {
  Solid open = hollow_box(true), closed = hollow_box(false);
  const VolumeEdit beside{EditKind::seal, box(12, 28, 5, 35, 30, 35)};
  apply_edits({&beside, 1}, cube, open);
  CHECK_FALSE(open.non_exterior.test(20, 20, 20));
  apply_edits({&beside, 1}, cube, closed);
  CHECK_FALSE(closed.non_exterior.test(20, 20, 20));
}

TEST_CASE("cut voxels stay exterior behind a seal") {
  Solid solid = hollow_box(true);
  const std::vector<VolumeEdit> edits = {{EditKind::cut, box(15, 15, 15, 20, 20, 20)},
                                         {EditKind::seal, box(5, 28, 5, 35, 30, 35)}};
  apply_edits(edits, cube, solid);
  CHECK_FALSE(solid.non_exterior.test(17, 17, 17));
  CHECK(solid.non_exterior.test(22, 17, 17));
}

TEST_CASE("the flood from outside equals a slow one on random solids") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int n = seed % 3 == 0 ? 16 : seed % 3 == 1 ? 64 : 128;
    BitGrid solid(n);
    std::mt19937 random(seed);
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
          if (random() % 100 < 60 + seed) solid.set(x, y, z);
    CHECK(same(open_voxels(solid), slow_flood(solid)));
  }
}

TEST_CASE("edits mean the same at every resolution") {
  const Primitive ball{Primitive::Kind::sphere, {20, 30, 40}, {0, 0, 0}, 9.0};
  for (const int n : {64, 128, 256}) {
    Solid solid{BitGrid(n), BitGrid(n)};
    const VolumeEdit edit{EditKind::add, ball};
    apply_edits({&edit, 1}, cube, solid);
    const double voxel = double(r) / n;
    CHECK(static_cast<double>(solid.interior_voxels) * voxel * voxel * voxel ==
          Approx(4.0 / 3.0 * 3.14159265 * 729).epsilon(0.02));
  }
}
