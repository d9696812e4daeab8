#include "gvbind/solid/column_voxelizer.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>

#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::size_t count(const BitGrid& grid) {
  std::size_t bits = 0;
  for (const std::uint64_t word : grid.words) bits += std::popcount(word);
  return bits;
}

BitGrid view(const UnitScene& scene, int resolution, int bit) {
  return voxelize_columns(scene, resolution, 1u << bit).axis[bit / 2];
}

void check_equal_views(const UnitScene& scene, int resolution) {
  const BitGrid first = view(scene, resolution, 0);
  CHECK(count(first) > 0);
  for (int bit = 1; bit < 6; ++bit) {
    INFO("view " << bit << ": " << count(view(scene, resolution, bit)) << " voxels beside "
                 << count(first));
    CHECK((view(scene, resolution, bit).words == first.words));
  }
}

/// Whether a lattice point is on the surface, where the result depends on the tie rule.
bool on_surface(const UnitScene& scene, const Eigen::Vector3i& p) {
  return std::any_of(scene.triangles.begin(), scene.triangles.end(), [&](const Triangle& t) {
    return triangle_meets_box(scene.positions[t[0]], scene.positions[t[1]], scene.positions[t[2]],
                              p, p);
  });
}

/// Number of voxels that differ from a brute-force point-in-mesh test.
std::size_t wrong_voxels(const UnitScene& scene, const BitGrid& grid) {
  std::size_t wrong = 0;
  const int r = grid.resolution, side = lattice_size / r;
  for (int z = 0; z < r; ++z)
    for (int y = 0; y < r; ++y)
      for (int x = 0; x < r; ++x) {
        const Eigen::Vector3i center = (Eigen::Vector3i(x, y, z) * side).array() + side / 2;
        const bool inside = winding_number(scene, center.cast<double>()) > 0.5;
        wrong += grid.test(x, y, z) != inside && !on_surface(scene, center);
      }
  return wrong;
}

}  // namespace

TEST_CASE("a closed box gives six equal views, exactly its inside") {
  const UnitScene scene = unit_scene(turned(box({-1, -0.5, -0.3}, {1.2, 0.7, 0.4})));
  check_equal_views(scene, 16);
  check_equal_views(scene, 128);
  CHECK(wrong_voxels(scene, view(scene, 32, 0)) == 0);
}

TEST_CASE("a closed capsule gives six equal views, exactly its inside", "[slow][threads]") {
  const UnitScene scene = unit_scene(capsule({-1, -0.5, -0.3}, {1.2, 0.7, 0.4}, 0.4));
  check_equal_views(scene, 64);
  check_equal_views(scene, 256);
  CHECK(wrong_voxels(scene, view(scene, 32, 3)) == 0);
}

TEST_CASE("a box with faces through voxel centers gives six equal views") {
  UnitScene scene;
  const int side = lattice_size / 16;
  scene.triangles = box({0, 0, 0}, {1, 1, 1}).triangles;
  for (const Eigen::Vector3d& p : box({0, 0, 0}, {1, 1, 1}).positions)
    scene.positions.push_back((p.cast<int>() * 5 * side).array() + 3 * side + side / 2);
  check_equal_views(scene, 16);
  // Half-open intervals: of two centers on opposite faces, one is inside.
  CHECK(count(view(scene, 16, 0)) == 5 * 5 * 5);
}

TEST_CASE("closed bodies with corners and edges on voxel centers give six equal views") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const UnitScene scene = lattice_star(seed, lattice_size / (seed % 2 ? 32 : 64));
    INFO("seed " << seed);
    check_equal_views(scene, 32);
    if (seed < 10) CHECK(wrong_voxels(scene, view(scene, 16, 5)) == 0);
  }
}

TEST_CASE("overlapping capsules give three equal axes, exactly the union", "[slow][threads]") {
  const Shape shape = crossed_capsules();
  const UnitScene scene = unit_scene(shape);
  const AxisVotes votes = voxelize_columns(scene, 32);
  CHECK((votes.axis[0].words == votes.axis[1].words));
  CHECK((votes.axis[0].words == votes.axis[2].words));
  CHECK(wrong_voxels(scene, votes.axis[0]) == 0);
}

TEST_CASE("doubled sheets let the front face win") {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 11, 5));
  shape.triangles.resize(60);
  const std::size_t single = shape.triangles.size();
  const UnitScene open = unit_scene(shape);
  for (std::size_t i = 0; i < single; ++i) {
    const auto [a, b, c] = shape.triangles[i];
    shape.triangles.push_back({c, b, a});
  }
  const UnitScene doubled = unit_scene(shape);
  const AxisVotes votes = voxelize_columns(doubled, 64), once = voxelize_columns(open, 64);
  for (int axis = 0; axis < 3; ++axis) {
    CHECK(count(votes.axis[axis]) == 0);
    CHECK(count(once.axis[axis]) > 0);
  }
}

TEST_CASE("a view from below sees the space below an upward face as inside") {
  UnitScene scene;
  const int q = lattice_size / 4;
  scene.positions = {{0, 0, 2 * q}, {4 * q, 0, 2 * q}, {4 * q, 4 * q, 2 * q}, {0, 4 * q, 2 * q}};
  scene.triangles = {{0, 1, 2}, {0, 2, 3}};  // faces up
  const BitGrid from_above = view(scene, 16, 4), from_below = view(scene, 16, 5);
  CHECK(count(from_above) == 0);
  CHECK(count(from_below) == 16 * 16 * 8);
  CHECK(from_below.test(3, 4, 7));
  CHECK_FALSE(from_below.test(3, 4, 8));
}

TEST_CASE("a view from above sees the space above a downward face as inside") {
  UnitScene scene;
  const int q = lattice_size / 4;
  scene.positions = {{0, 0, 2 * q}, {4 * q, 0, 2 * q}, {4 * q, 4 * q, 2 * q}, {0, 4 * q, 2 * q}};
  scene.triangles = {{0, 2, 1}, {0, 3, 2}};  // faces down
  const BitGrid from_above = view(scene, 16, 4), from_below = view(scene, 16, 5);
  CHECK(count(from_above) == 16 * 16 * 8);
  CHECK(count(from_below) == 0);
  CHECK(from_above.test(3, 4, 8));
  CHECK_FALSE(from_above.test(3, 4, 7));
}

TEST_CASE("the mask chooses views, and the two of an axis are or'ed") {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 11, 5));
  shape.triangles.resize(100);
  const UnitScene scene = unit_scene(shape);
  const AxisVotes both = voxelize_columns(scene, 32);
  int different = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const BitGrid plus = view(scene, 32, 2 * axis), minus = view(scene, 32, 2 * axis + 1);
    different += plus.words != minus.words;
    ZeroedArray<std::uint64_t> either = plus.words;
    for (std::size_t i = 0; i < either.size(); ++i) either[i] |= minus.words[i];
    CHECK((both.axis[axis].words == either));
    const AxisVotes without = voxelize_columns(scene, 32, all_views & ~(3u << (2 * axis)));
    CHECK(count(without.axis[axis]) == 0);
    CHECK((without.axis[(axis + 1) % 3].words == both.axis[(axis + 1) % 3].words));
  }
  CHECK(different > 1);
}

TEST_CASE("degenerate triangles change nothing") {
  Shape shape = turned(box({-1, -0.5, -0.3}, {1.2, 0.7, 0.4}));
  const AxisVotes plain = voxelize_columns(unit_scene(shape), 64);
  shape.triangles.push_back({0, 7, 7});
  shape.triangles.push_back({3, 3, 3});
  const AxisVotes more = voxelize_columns(unit_scene(shape), 64);
  for (int axis = 0; axis < 3; ++axis) CHECK((plain.axis[axis].words == more.axis[axis].words));
}
