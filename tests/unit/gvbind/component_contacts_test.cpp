#include "gvbind/weights/component_contacts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

TEST_CASE("contacts say how near parts come, and the nearest where none is near") {
  Shape shape = box({0, 0, 0}, {4, 1, 1});
  shape.append(box({1, 1.02, 0}, {2, 1.2, 1}));   // a lid, a hundredth of the size above
  shape.append(box({3, 2, 0}, {3.2, 2.2, 0.2}));  // far away
  const UnitScene scene = unit_scene(shape);
  const Components components = components_of(scene);
  const ComponentContacts surfaces(scene, components);
  const auto lid = surfaces.of(1), afar = surfaces.of(2);
  REQUIRE(lid.size() == 1);
  CHECK(lid[0].component == 0);
  CHECK(lid[0].gap == Approx(0.02 / 4.0).epsilon(0.1));
  CHECK(surfaces.within(1, 0, 0.001) == 0);
  CHECK(surfaces.within(1, 0, 0.01) > 20);
  REQUIRE(afar.size() == 1);
  CHECK(afar[0].component == 0);
  CHECK(afar[0].gap > 0.2);
}

TEST_CASE("contacts of a large part and one of many points are the same in a mirror") {
  Shape shape = turned(capsule({0, 0, 0}, {1, 0.3, 0.2}, 0.4, 40, 40));
  shape.append(capsule({0.9, 1.5, 0.8}, {0.2, 1.1, 1.3}, 0.3, 30, 30));  // far away
  shape.append(capsule({-0.1, 0.2, 0.6}, {0.5, 0.4, 0.8}, 0.2, 25, 20));
  const UnitScene scene = unit_scene(shape), there = mirrored(scene);
  const Components components = components_of(scene);
  const ComponentContacts surfaces(scene, components), opposite(there, components_of(there));
  const std::vector<std::uint32_t> all = {0, 1, 2};
  const auto each = surfaces.of_each(all);
  std::size_t counted = 0;
  for (std::uint32_t component = 0; component < components.count(); ++component) {
    const auto here = surfaces.of(component), over = opposite.of(component);
    REQUIRE(here.size() == over.size());
    REQUIRE(each[component].size() == here.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      CHECK(each[component][i].component == here[i].component);
      CHECK(each[component][i].gap == here[i].gap);
      CHECK(over[i].component == here[i].component);
      CHECK(over[i].gap == here[i].gap);
      for (const double gap : {0.005, 0.012, 0.025}) {
        counted += surfaces.within(component, here[i].component, gap);
        CHECK(opposite.within(component, over[i].component, gap) ==
              surfaces.within(component, here[i].component, gap));
      }
    }
  }
  CHECK(counted > 100);
}

TEST_CASE("points within a gap are counted as one by one", "[slow]") {
  Shape shape = turned(capsule({0, 0, 0}, {1, 0.3, 0.2}, 0.4, 12, 10));
  shape.append(turned(capsule({0.3, 0.5, 0}, {0.6, 0.58, 0.3}, 0.06, 10, 8)));
  const UnitScene scene = unit_scene(shape);
  const Components components = components_of(scene);
  const ComponentContacts surfaces(scene, components);
  std::vector<std::vector<Eigen::Vector3i>> points(2);
  for (const SurfacePoint& p : surface_points(scene, components, lattice_size / 128.0))
    points[p.component].push_back(p.at);
  std::vector<double> gaps;
  for (std::size_t i = 0; i < points[1].size(); ++i) {
    std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
    for (const Eigen::Vector3i& other : points[0])
      nearest = std::min(nearest, (points[1][i] - other).cast<std::int64_t>().squaredNorm());
    gaps.push_back(std::sqrt(static_cast<double>(nearest)) / lattice_size);
  }
  REQUIRE(surfaces.of(1).size() == 1);
  CHECK(surfaces.of(1)[0].gap == Approx(*std::ranges::min_element(gaps)).margin(1e-12));
  for (const double gap : {0.0, 0.003, 0.01, 0.02}) {
    const auto count = std::ranges::count_if(gaps, [&](double g) { return g <= gap; });
    CHECK(surfaces.within(1, 0, gap) == static_cast<std::size_t>(count));
    if (gap > 0.0) CHECK(count > 10);
  }
}
