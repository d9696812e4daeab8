#include "gvbind/prepare/winding_number.h"

#include <catch2/catch.hpp>
#include <random>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Shape fine_capsule() { return turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 48, 40)); }

/// Compares tree and sum at random points of the cube; no point may change sides.
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

TEST_CASE("about a half, inside out or not, the tree is as good as the sum") {
  Shape shape = fine_capsule();
  shape.triangles.resize(shape.triangles.size() * 2 / 3);
  for (const bool inside_out : {false, true}) {
    UnitScene scene = unit_scene(shape);
    if (inside_out)
      for (Triangle& t : scene.triangles) std::swap(t[1], t[2]);
    const WindingTree tree(scene);
    std::mt19937 random(11);
    int met = 0;
    for (int i = 0; i < 100; ++i) {
      const Eigen::Vector3i far = Eigen::Vector3i::NullaryExpr(
          [&](Eigen::Index) { return static_cast<int>(random() % lattice_size); });
      Eigen::Vector3d inside = Eigen::Vector3d::Constant(lattice_size / 2),
                      out = far.cast<double>();
      if (std::abs(tree(out)) > 0.5 || std::abs(tree(inside)) < 0.5) continue;
      for (int k = 0; k < 30; ++k) {
        const Eigen::Vector3d middle = (inside + out) / 2.0;
        (std::abs(tree(middle)) > 0.5 ? inside : out) = middle;
      }
      const double exact = winding_number(scene, inside), there = winding_number(scene, out);
      if (std::abs(exact - there) > 0.1) continue;  // the surface lies between the points
      ++met;
      CHECK(std::abs(exact) == Approx(0.5).margin(2e-4));
    }
    CHECK(met > 10);
  }
}

TEST_CASE("on a surface the winding number is half-way between its sides") {
  for (const Shape& shape : {box({0, 0, 0}, {1, 1, 1}), fine_capsule()}) {
    const UnitScene scene = unit_scene(shape);
    const WindingTree tree(scene, 1e9);
    for (const Triangle& t : scene.triangles) {
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      for (const std::uint32_t v : t) middle += scene.positions[v].cast<double>() / 3.0;
      CHECK(winding_number(scene, middle) == Approx(0.5).margin(1e-6));
      CHECK(tree(middle) == Approx(0.5).margin(1e-6));
    }
  }
  const UnitScene cube = unit_scene(box({0, 0, 0}, {1, 1, 1}));
  CHECK(winding_number(cube, cube.positions[0].cast<double>()) == Approx(0.125));
}

TEST_CASE("triangles without area have no winding") {
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  shape.triangles = {{0, 7, 7}, {1, 1, 1}, {2, 2, 5}};
  const UnitScene scene = unit_scene(shape);
  CHECK(WindingTree(scene)({1000, 2000, 3000}) == 0.0);
}
