#include "gvbind/part_contacts.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

TEST_CASE("contacts say how near parts come, and the nearest where none is near") {
  Shape shape = box({0, 0, 0}, {4, 1, 1});
  shape.append(box({1, 1.02, 0}, {2, 1.2, 1}));   // a lid, a hundredth of the whole above
  shape.append(box({3, 2, 0}, {3.2, 2.2, 0.2}));  // afar
  const UnitScene scene = unit_scene(shape);
  const MeshParts parts = mesh_parts(scene);
  const PartContacts surfaces(scene, parts);
  const auto lid = surfaces.of(1), afar = surfaces.of(2);
  REQUIRE(lid.size() == 1);
  CHECK(lid[0].part == 0);
  CHECK(lid[0].least == Approx(0.02 / 4.0).epsilon(0.1));
  CHECK(surfaces.within(1, 0, 0.001) == 0);
  CHECK(surfaces.within(1, 0, 0.01) > 20);
  REQUIRE(afar.size() == 1);
  CHECK(afar[0].part == 0);
  CHECK(afar[0].least > 0.2);
}

TEST_CASE("contacts of a large part and one of many points are the same in a mirror") {
  Shape shape = turned(capsule({0, 0, 0}, {1, 0.3, 0.2}, 0.4, 40, 40));
  shape.append(capsule({0.9, 1.5, 0.8}, {0.2, 1.1, 1.3}, 0.3, 30, 30));  // afar
  shape.append(capsule({-0.1, 0.2, 0.9}, {0.5, 0.4, 1.1}, 0.2, 25, 20));
  const UnitScene scene = unit_scene(shape), there = mirrored(scene);
  const MeshParts parts = mesh_parts(scene);
  const PartContacts surfaces(scene, parts), opposite(there, mesh_parts(there));
  for (std::uint32_t part = 0; part < parts.count(); ++part) {
    const auto here = surfaces.of(part), over = opposite.of(part);
    REQUIRE(here.size() == over.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      CHECK(over[i].part == here[i].part);
      CHECK(over[i].least == here[i].least);
      for (const double gap : {0.005, 0.012, 0.025})
        CHECK(opposite.within(part, over[i].part, gap) == surfaces.within(part, here[i].part, gap));
    }
  }
}

TEST_CASE("points within a gap are counted as one by one") {
  Shape shape = turned(capsule({0, 0, 0}, {1, 0.3, 0.2}, 0.4, 40, 40));
  shape.append(turned(capsule({0.1, 0.1, 0}, {1, 0.6, 0.6}, 0.35, 30, 30)));
  const UnitScene scene = unit_scene(shape);
  const MeshParts parts = mesh_parts(scene);
  const PartContacts surfaces(scene, parts);
  const std::vector<SurfacePoint> points = surface_points(scene, parts, lattice_size / 128.0);
  for (const double gap : {0.0, 0.003, 0.01, 0.025}) {
    std::size_t count = 0;
    double least = 1.0;
    for (const SurfacePoint& a : points) {
      double nearest = 1.0;
      for (const SurfacePoint& b : points)
        if (a.part == 0 && b.part == 1)
          nearest = std::min(nearest, (a.at - b.at).cast<double>().norm() / lattice_size);
      count += nearest <= gap;
      least = std::min(least, nearest);
    }
    CHECK(surfaces.within(0, 1, gap) == count);
    REQUIRE(surfaces.of(0).size() == 1);
    CHECK(surfaces.of(0)[0].least == least);
  }
}
