#include "gvbind/winding_number.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Shape fine_capsule() { return turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 48, 40)); }

/// Largest difference of tree and sum over random points of the cube; none may change sides.
void check_against_sum(const Shape& shape) {
  const UnitScene scene = unit_scene(shape);
  const WindingTree tree(scene);
  std::mt19937 random(7);
  double worst = 0.0;
  int sides = 0;
  for (int i = 0; i < 400; ++i) {
    const Eigen::Vector3d p = Eigen::Vector3i(static_cast<int>(random() % lattice_size),
                                              static_cast<int>(random() % lattice_size),
                                              static_cast<int>(random() % lattice_size))
                                  .cast<double>();
    const double exact = winding_number(scene, p), fast = tree(p);
    worst = std::max(worst, std::abs(exact - fast));
    if (std::abs(exact - 0.5) > 0.01) sides += (exact > 0.5) != (fast > 0.5);
  }
  CHECK(worst < 0.05);
  CHECK(sides == 0);
}

}  // namespace

TEST_CASE("winding numbers of a closed body are whole") {
  const UnitScene scene = unit_scene(fine_capsule());
  CHECK(winding_number(scene, scene.cube.to_lattice({0, 0, 0}).cast<double>()) ==
        Approx(1.0).margin(1e-9));
  CHECK(winding_number(scene, {10, 10, 10}) == Approx(0.0).margin(1e-9));
}

TEST_CASE("the tree agrees with the sum: closed") { check_against_sum(fine_capsule()); }

TEST_CASE("the tree agrees with the sum: open") {
  Shape shape = fine_capsule();
  shape.triangles.resize(shape.triangles.size() * 2 / 3);
  check_against_sum(shape);
}

TEST_CASE("the tree agrees with the sum: self-intersecting") {
  Shape shape = capsule({-1, 0.1, 0}, {1, -0.1, 0.2}, 0.3, 40, 40);
  shape.append(capsule({0.1, -1, 0.1}, {-0.1, 1, 0}, 0.25, 40, 40));
  check_against_sum(shape);
}

TEST_CASE("the tree agrees with the sum: doubled both ways") {
  Shape shape = fine_capsule();
  for (std::size_t i = 0, n = shape.triangles.size(); i < n; ++i) {
    const auto [a, b, c] = shape.triangles[i];
    shape.triangles.push_back({c, b, a});
  }
  check_against_sum(shape);
}

TEST_CASE("triangles without area have no winding") {
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  shape.triangles = {{0, 7, 7}, {1, 1, 1}, {2, 2, 5}};
  const UnitScene scene = unit_scene(shape);
  CHECK(WindingTree(scene)({1000, 2000, 3000}) == 0.0);
}
