#include "gvbind/prepare/components.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

TEST_CASE("triangles connect components, also through vertices at one position") {
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  shape.append(box({2, 0, 0}, {3, 1, 1}));
  // A seam: the triangles of the second box have separate vertices.
  std::vector<Triangle> split;
  for (std::size_t t = 12; t < 24; ++t) {
    Triangle own;
    for (int k = 0; k < 3; ++k) {
      own[k] = static_cast<std::uint32_t>(shape.positions.size());
      shape.positions.push_back(shape.positions[shape.triangles[t][k]]);
    }
    shape.triangles[t] = own;
  }
  shape.positions.emplace_back(0.5, 0.5, 0.5);  // not used by a triangle
  const Components components = components_of(unit_scene(shape));
  REQUIRE(components.count() == 2);
  CHECK(components.vertices == std::vector<std::uint32_t>{8, 8});
  CHECK(components.triangles[1].front() == 12);
  CHECK(components.component[3] == 0);
  CHECK(components.component[12] == 1);
  CHECK(components.component[40] == 1);
  CHECK(components.component.back() == no_component);
}

TEST_CASE("surface points leave no hole wider than asked, and none is there twice") {
  const UnitScene scene = unit_scene(box({0, 0, 0}, {1, 2, 3}));
  const Components components = components_of(scene);
  const double spacing = lattice_size / 12.0;
  const std::vector<SurfacePoint> points = surface_points(scene, components, spacing);
  REQUIRE(points.size() > 100);
  for (std::size_t i = 1; i < points.size(); ++i) CHECK(points[i].at != points[i - 1].at);
  for (const Triangle& t : scene.triangles) {
    const Eigen::Vector3i middle =
        (scene.positions[t[0]] + scene.positions[t[1]] + scene.positions[t[2]]) / 3;
    double nearest = lattice_size;
    for (const SurfacePoint& p : points)
      nearest = std::min(nearest, (p.at - middle).cast<double>().norm());
    CHECK(nearest <= spacing);
  }
}
