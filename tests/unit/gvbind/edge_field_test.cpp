#include "gvbind/prepare/edge_field.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "gvbind/prepare/winding_number.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

constexpr double all_edges = std::numeric_limits<double>::infinity();

Shape open_capsule() {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 24, 8));
  shape.triangles.resize(shape.triangles.size() * 2 / 3);
  return shape;
}

/// Every third triangle is missing: many small holes that share vertices.
Shape torn_capsule() {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 24, 20)), torn = shape;
  torn.triangles.clear();
  for (std::size_t i = 0; i < shape.triangles.size(); ++i)
    if (i % 3 != 0) torn.triangles.push_back(shape.triangles[i]);
  return torn;
}

/// Sixty small tubes with open ends, two loops each.
Shape tubes() {
  Shape shape;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int i = 0; i < 60; ++i) {
    const Eigen::Vector3d a(any(random), any(random), any(random));
    const Eigen::Vector3d b = a + Eigen::Vector3d(any(random), any(random), any(random)) * 0.2;
    Shape tube = capsule(a, b, 0.05, 8, 2);
    std::erase_if(tube.triangles, [&](const Triangle& t) {
      return std::count(t.begin(), t.end(), 0u) > 0 ||
             std::count(t.begin(), t.end(), tube.positions.size() - 1) > 0;
    });
    shape.append(tube);
  }
  return shape;
}

/// Half of a capsule: one long loop of edges, covered twice.
Shape long_slit() {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 48, 60));
  shape.triangles.resize(shape.triangles.size() / 2);
  shape.append(Shape(shape));
  return shape;
}

Shape twice(Shape shape) {
  shape.append(Shape(shape));
  return shape;
}

std::vector<Eigen::Vector3d> random_points(int count) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> any(0.0, lattice_size);
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < count; ++i) points.emplace_back(any(random), any(random), any(random));
  return points;
}

double to_whole(double x) { return std::abs(x - std::round(x)); }

/// The largest difference from the sum over all triangles, modulo integers.
double worst_fraction(const Shape& shape, double accuracy) {
  const UnitScene scene = unit_scene(shape);
  const EdgeField edges(scene, open_loops(scene));
  double worst = 0.0;
  for (const Eigen::Vector3d& p : random_points(500)) {
    const double fraction = edges.fraction(p, accuracy);
    REQUIRE(std::abs(fraction) <= 0.5);
    worst = std::max(worst, to_whole(winding_number(scene, p) - fraction));
  }
  return worst;
}

}  // namespace

TEST_CASE("open edges determine the winding number modulo whole numbers") {
  for (const Shape& shape : {open_capsule(), torn_capsule(), tubes(), twice(open_capsule())})
    CHECK(worst_fraction(shape, all_edges) < 1e-7);
  CHECK(worst_fraction(box({0, 0, 0}, {1, 1, 1}), all_edges) < 1e-7);
}

TEST_CASE("far loops act as dipoles, far parts of them as dipoles and chords") {
  for (const Shape& shape : {tubes(), torn_capsule(), long_slit()}) {
    const double near = worst_fraction(shape, 2.3), far = worst_fraction(shape, 20.0);
    CHECK(near < 0.03);
    CHECK(near > 1e-5);
    CHECK(far < 0.1 * near);
  }
}

TEST_CASE("no winding number changes faster than the slope") {
  std::mt19937 random(29);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (const Shape& shape : {open_capsule(), torn_capsule(), tubes(), twice(open_capsule())}) {
    const UnitScene scene = unit_scene(shape);
    const EdgeField edges(scene, open_loops(scene));
    int bounded = 0;
    for (const Eigen::Vector3d& p : random_points(300))
      for (const double radius : {1e3, 1e4, 1e5}) {
        const double slope = edges.slope(p, radius);
        if (!std::isfinite(slope) || slope * radius > 0.2) continue;
        ++bounded;
        const Eigen::Vector3d to(any(random), any(random), any(random));
        const Eigen::Vector3d q = p + to.normalized() * radius;
        const double change = to_whole(edges.fraction(p, all_edges) - edges.fraction(q, all_edges));
        CHECK(change <= slope * radius + 1e-9);
      }
    CHECK(bounded > 100);
  }
}

TEST_CASE("the slope is not much more than it must be") {
  // On the axis of a square hole with side s at distance d: 2 s^2 / (4 pi d^3).
  Shape sheet = box({0, 0, 0}, {1, 1, 1});
  sheet.triangles = {{0, 2, 1}, {1, 2, 3}};
  for (Eigen::Vector3d& p : sheet.positions)
    if (p.z() < 0.5) p.head<2>() = p.head<2>() * 0.1 + Eigen::Vector2d(0.45, 0.45);
  sheet.triangles.push_back({4, 7, 7});  // keeps the bounding cube
  const UnitScene scene = unit_scene(sheet);
  const EdgeField edges(scene, open_loops(scene));
  const double side = 0.1 * scene.cube.scale, distance = 0.5 * scene.cube.scale;
  const Eigen::Vector3d point = scene.cube.to_lattice({0.5, 0.5, 0.5}).cast<double>();
  const double exact = 2.0 * side * side / (4.0 * M_PI * std::pow(distance, 3.0));
  CHECK(edges.slope(point, 0.0) >= 0.9 * exact);
  CHECK(edges.slope(point, 0.0) <= 1.1 * exact);
}

TEST_CASE("about an edge there is no slope") {
  const UnitScene scene = unit_scene(open_capsule());
  const OpenLoops loops = open_loops(scene);
  const EdgeField edges(scene, loops);
  const Eigen::Vector3d on = scene.positions[loops.edges[5].from].cast<double>();
  CHECK(std::isinf(edges.slope(on, 10.0)));
  CHECK(std::isinf(edges.slope(on + Eigen::Vector3d(900.0, 0.0, 0.0), 1000.0)));
  CHECK(std::isfinite(edges.fraction(on, all_edges)));
}

TEST_CASE("below its limit a slope is the same with the limit") {
  const UnitScene scene = unit_scene(tubes());
  const EdgeField edges(scene, open_loops(scene));
  for (const Eigen::Vector3d& p : random_points(300)) {
    const double slope = edges.slope(p, 1e3), limited = edges.slope(p, 1e3, 1e-5);
    if (slope <= 1e-5)
      CHECK(limited == slope);
    else
      CHECK(limited > 1e-5);
  }
}

TEST_CASE("a closed mesh has neither fraction nor slope") {
  const UnitScene scene = unit_scene(box({0, 0, 0}, {1, 1, 1}));
  const EdgeField edges(scene, open_loops(scene));
  CHECK(edges.edges() == 0);
  CHECK(edges.fraction({1000, 2000, 3000}, 2.3) == 0.0);
  CHECK(edges.slope({1000, 2000, 3000}, 1e5) == 0.0);
}
