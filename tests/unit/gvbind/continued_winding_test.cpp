#include "gvbind/prepare/continued_winding.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Shape open_capsule() {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 24, 12));
  shape.triangles.resize(shape.triangles.size() * 2 / 3);
  return shape;
}

/// Nested parts, up to five layers deep.
Shape nested() {
  Shape shape;
  for (int i = 0; i < 5; ++i) {
    Shape part = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5 - 0.06 * i, 16, 8));
    part.triangles.resize(part.triangles.size() * (i + 4) / 9);
    shape.append(part);
  }
  return shape;
}

/// Some triangles are missing.
Shape pierced() {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 24, 40)), rest = shape;
  rest.triangles.clear();
  for (std::size_t i = 0; i < shape.triangles.size(); ++i)
    if (i % 14 != 0) rest.triangles.push_back(shape.triangles[i]);
  return rest;
}

/// All triangles are disconnected.
Shape loose() {
  Shape shape = open_capsule(), apart;
  for (const Triangle& t : shape.triangles) {
    const auto first = static_cast<std::uint32_t>(apart.positions.size());
    const Eigen::Vector3d& a = shape.positions[t[0]];
    for (const std::uint32_t v : t) apart.positions.push_back(a + 0.9 * (shape.positions[v] - a));
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  return apart;
}

void check_against_sum(const Shape& shape, double error) {
  const UnitScene scene = unit_scene(shape);
  const WindingTree tree(scene);
  const ContinuedWinding winding(scene, tree);
  CHECK(winding.error() == Approx(error));
  std::mt19937 random(13);
  std::uniform_real_distribution<double> any(0.2, 0.8), step(-1.0, 1.0);
  int continued = 0;
  for (int i = 0; i < 500; ++i) {
    const Eigen::Vector3d p = lattice_size * Eigen::Vector3d(any(random), any(random), any(random));
    const double exact = winding_number(scene, p);
    CHECK(winding.at(p) == Approx(exact).margin(error));
    // Integer offsets between two points are ambiguous; near() keeps that of the known point.
    const Eigen::Vector3d q =
        p + 3000.0 * Eigen::Vector3d(step(random), step(random), step(random));
    const double there = winding_number(scene, q);
    const double change = winding.edges().slope(p, 3000.0 * std::sqrt(3.0)) * (p - q).norm();
    if (change > ContinuedWinding::max_change || std::abs(exact - there) > 0.5) continue;
    ++continued;
    CHECK(winding.near(q, exact, change) == Approx(there).margin(error));
  }
  CHECK(continued > 100);
}

}  // namespace

TEST_CASE("continued winding numbers are those of the sum") {
  check_against_sum(open_capsule(), 1e-6);
  check_against_sum(nested(), 1e-6);
  check_against_sum(box({0, 0, 0}, {1, 1, 1}), 1e-6);
}

TEST_CASE("continued winding numbers are about those of the sum where many edges are open") {
  check_against_sum(pierced(), 0.03);
  check_against_sum(loose(), 0.03);
}

TEST_CASE("without a usable known value, the mesh is evaluated") {
  const UnitScene scene = unit_scene(open_capsule());
  const WindingTree tree(scene);
  const ContinuedWinding winding(scene, tree);
  const Eigen::Vector3d middle = Eigen::Vector3d::Constant(lattice_size / 2);
  const double exact = winding_number(scene, middle);
  CHECK(winding.near(middle, exact + 0.4, 0.0) == Approx(exact).margin(1e-6));
}
