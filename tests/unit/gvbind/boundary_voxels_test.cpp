#include "gvbind/solid/boundary_voxels.h"

#include <bit>
#include <catch2/catch.hpp>
#include <random>

#include "gvbind/base/morton.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

using Point = Eigen::Vector3d;

/// Clips a polygon to the half space sign * p[axis] <= bound.
std::vector<Point> cut(const std::vector<Point>& polygon, int axis, double sign, double bound) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double da = sign * a[axis] - bound, db = sign * b[axis] - bound;
    if (da <= 0) kept.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) kept.push_back(a + (b - a) * (da / (da - db)));
  }
  return kept;
}

/// A reference: whether anything is left of the triangle after clipping to six half spaces.
bool cut_meets(const std::array<Eigen::Vector3i, 3>& t, const Eigen::Vector3i& low,
               const Eigen::Vector3i& high, double slack) {
  std::vector<Point> polygon;
  for (const Eigen::Vector3i& p : t) polygon.push_back(p.cast<double>());
  for (int axis = 0; axis < 3 && !polygon.empty(); ++axis) {
    polygon = cut(polygon, axis, 1.0, high[axis] + slack);
    polygon = cut(polygon, axis, -1.0, -low[axis] + slack);
  }
  return !polygon.empty();
}

std::array<Eigen::Vector3i, 3> random_triangle(std::mt19937& random, int size) {
  std::array<Eigen::Vector3i, 3> t;
  for (Eigen::Vector3i& p : t)
    for (int k = 0; k < 3; ++k) p[k] = static_cast<int>(random() % size);
  return t;
}

}  // namespace

TEST_CASE("the separating axes agree with cutting the triangle") {
  std::mt19937 random(3);
  int met = 0;
  for (int i = 0; i < 20000; ++i) {
    auto t = random_triangle(random, 40);
    if (i % 5 == 0) t[2] = t[1];
    const Eigen::Vector3i low(12, 12, 12), high(20, 20, 20);
    const bool meets = triangle_meets_box(t[0], t[1], t[2], low, high);
    // Clipping rounds, so a small tolerance is needed.
    if (meets) CHECK(cut_meets(t, low, high, 1e-9));
    if (!meets) CHECK_FALSE(cut_meets(t, low, high, -1e-9));
    met += meets;
  }
  CHECK(met > 2000);
}

TEST_CASE("touching counts") {
  const Eigen::Vector3i low(0, 0, 0), high(8, 8, 8);
  CHECK(triangle_meets_box({8, 8, 8}, {20, 8, 8}, {8, 20, 9}, low, high));
  CHECK_FALSE(triangle_meets_box({9, 8, 8}, {20, 8, 8}, {9, 20, 9}, low, high));
  CHECK(triangle_meets_box({16, 0, 4}, {0, 16, 4}, {16, 16, 4}, low, high));
  CHECK_FALSE(triangle_meets_box({17, 0, 4}, {0, 17, 4}, {17, 17, 4}, low, high));
}

TEST_CASE("the extremes of the lattice do not overflow") {
  const int n = lattice_size;
  CHECK(triangle_meets_box({0, 0, n}, {n, 0, 0}, {0, n, 0}, {n / 4, n / 4, n / 4},
                           {n / 2, n / 2, n / 2}));
  CHECK_FALSE(
      triangle_meets_box({0, 0, n}, {n, 0, 0}, {0, n, 0}, {n / 2, n / 2, n / 2}, {n, n, n}));
}

TEST_CASE("boundary voxels are those whose box meets a triangle", "[slow][threads]") {
  for (const int resolution : {16, 64}) {
    Shape shape = turned(capsule({0, 0, 0}, {1, 2, 0.5}, 0.4, 9, 2));
    shape.append(turned(box({2, 0, 0}, {3, 0.001, 1})));
    const UnitScene scene = unit_scene(shape);
    const BitGrid grid = boundary_voxels(scene, resolution);
    const int side = lattice_size / resolution;
    std::size_t wrong = 0, set = 0;
    for (int z = 0; z < resolution; ++z)
      for (int y = 0; y < resolution; ++y)
        for (int x = 0; x < resolution; ++x) {
          bool met = false;
          const Eigen::Vector3i low = Eigen::Vector3i(x, y, z) * side;
          for (const Triangle& t : scene.triangles)
            met = met || triangle_meets_box(scene.positions[t[0]], scene.positions[t[1]],
                                            scene.positions[t[2]], low, low.array() + side);
          wrong += met != grid.test(x, y, z);
          set += met;
        }
    CHECK(wrong == 0);
    CHECK(set > 100);
  }
}

TEST_CASE("a face between voxels marks both sides") {
  UnitScene scene;
  const int q = lattice_size / 4;
  scene.positions = {{q, q, 2 * q}, {3 * q, q, 2 * q}, {q, 3 * q, 2 * q}};
  scene.triangles = {{0, 1, 2}};
  const BitGrid grid = boundary_voxels(scene, 16);
  CHECK(grid.test(5, 5, 7));
  CHECK(grid.test(5, 5, 8));
  CHECK_FALSE(grid.test(5, 5, 6));
  CHECK_FALSE(grid.test(5, 5, 9));
}

TEST_CASE("bone voxels are those a segment's points lie in") {
  UnitScene scene;
  scene.bones = {{{{100, 5000, 9000}, {1000000, 777777, 300000}}},
                 {},
                 {{{lattice_size / 2, 10, 10}, {lattice_size / 2, 10, 10}}}};
  const auto voxels = bone_voxels(scene.bones, 64);
  REQUIRE(voxels.size() == 3);
  CHECK(voxels[1].empty());
  CHECK(voxels[2] == std::vector<MortonCode>{morton_code(31, 0, 0), morton_code(32, 0, 0)});
  CHECK(std::is_sorted(voxels[0].begin(), voxels[0].end()));
  for (int i = 0; i <= 5000; ++i) {
    const Point p = Point(100, 5000, 9000) + Point(999900, 772777, 291000) * (i / 5000.0);
    const Eigen::Vector3i cell = (p / (lattice_size / 64)).cast<int>();
    const MortonCode code = morton_code(cell[0], cell[1], cell[2]);
    REQUIRE(std::binary_search(voxels[0].begin(), voxels[0].end(), code));
  }
  CHECK(voxels[0].size() < 64 * 3);
}

TEST_CASE("Morton codes and cells are each other's inverse", "[slow]") {
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Vector3i cell(random() % (1 << 21), random() % (1 << 21), random() % (1 << 21));
    CHECK(morton_cell(morton_code(cell.x(), cell.y(), cell.z())) == cell);
  }
  CHECK(morton_code(1, 0, 0) == 1);
  CHECK(morton_code(0, 1, 0) == 2);
  CHECK(morton_code(0, 0, 1) == 4);
}
