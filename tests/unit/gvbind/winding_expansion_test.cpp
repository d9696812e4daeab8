#include "gvbind/prepare/winding_expansion.h"

#include <catch2/catch.hpp>
#include <random>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

using Ball = WindingExpansion::Ball;

struct Randoms {
  std::mt19937 generator{11};
  Eigen::Vector3d in_cube(double from, double to) {
    std::uniform_real_distribution<double> any(from, to);
    return {any(generator), any(generator), any(generator)};
  }
};

/// Many loose triangles of all sizes and orientations.
Shape scattered_triangles(int count) {
  Shape shape;
  Randoms random;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d at = random.in_cube(-1.0, 1.0);
    const auto first = static_cast<std::uint32_t>(shape.positions.size());
    for (int corner = 0; corner < 3; ++corner)
      shape.positions.push_back(at + random.in_cube(-0.3, 0.3) / (1 + i % 7));
    shape.triangles.push_back({first, first + 1, first + 2});
  }
  return shape;
}

Shape open_capsule() {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 48, 40));
  shape.triangles.resize(shape.triangles.size() * 2 / 3);
  return shape;
}

/// The largest error in balls of this radius, and in smaller balls inside.
double worst_error(const Shape& shape, double radius) {
  const UnitScene scene = unit_scene(shape);
  const WindingTree tree(scene);
  const WindingSources sources(tree);
  Randoms random;
  double worst = 0.0;
  for (int i = 0; i < 40; ++i) {
    const Ball outer{random.in_cube(0.1 * lattice_size, 0.9 * lattice_size), radius};
    const Ball inner{outer.center + random.in_cube(-0.25, 0.25) * radius, radius / 2.0};
    WindingExpansion large(sources, outer), small(large, inner);
    for (int k = 0; k < 10; ++k) {
      const Eigen::Vector3d offset = random.in_cube(-0.57, 0.57);
      const Eigen::Vector3d p = outer.center + offset * outer.radius,
                            q = inner.center + offset * inner.radius;
      worst = std::max({worst, std::abs(large.at(p) - winding_number(scene, p)),
                        std::abs(small.at(q) - winding_number(scene, q))});
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("expansions agree with the sum over all triangles") {
  for (const double radius : {300.0, 10'000.0, 100'000.0}) {
    CHECK(worst_error(scattered_triangles(2000), radius) < WindingExpansion::error);
    CHECK(worst_error(open_capsule(), radius) < WindingExpansion::error);
    CHECK(worst_error(box({0, 0, 0}, {1, 1, 1}), radius) < WindingExpansion::error);
  }
}

TEST_CASE("far from all triangles an expansion is as exact as its polynomial") {
  const UnitScene scene = unit_scene(scattered_triangles(50));
  const WindingTree tree(scene);
  const WindingSources sources(tree);
  const double size = lattice_size;
  const Ball ball{{6.0 * size, -3.0 * size, 4.0 * size}, 0.1 * size};
  WindingExpansion expansion(sources, ball);
  const Eigen::Vector3d at = ball.center + Eigen::Vector3d(0.03, -0.05, 0.04) * size;
  const double exact = winding_number(scene, at);
  // Dipoles alone have an error of about the node's size over the distance, a tenth.
  CHECK(expansion.at(at) == Approx(exact).epsilon(0.01));
}

TEST_CASE("where an expansion is in doubt the tree decides") {
  // In the opening of a cut body, the winding number passes one half.
  const UnitScene scene = unit_scene(open_capsule());
  const WindingTree tree(scene);
  const WindingSources sources(tree);
  Randoms random;
  int doubtful = 0;
  for (int i = 0; i < 3000; ++i) {
    const Ball ball{random.in_cube(0.2 * lattice_size, 0.8 * lattice_size), 20'000.0};
    const double exact = winding_number(scene, ball.center);
    if (std::abs(exact - 0.5) > WindingExpansion::error / 2.0) continue;
    ++doubtful;
    WindingExpansion expansion(sources, ball);
    CHECK(std::abs(expansion.at(ball.center) - exact) < 2e-3);
  }
  CHECK(doubtful > 10);
}

TEST_CASE("an expansion of a mesh without triangles is zero") {
  const LatticeMesh none;
  const WindingTree tree(none);
  const WindingSources sources(tree);
  CHECK(WindingExpansion(sources, {{1.0, 2.0, 3.0}, 10.0}).at({1.0, 2.0, 3.0}) == 0.0);
}
