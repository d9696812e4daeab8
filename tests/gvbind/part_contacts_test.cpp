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
  const std::vector<std::uint32_t> asked = {1, 2};
  const auto contacts = part_contacts(scene, parts, asked);
  REQUIRE(contacts.size() == 2);
  REQUIRE(contacts[0].size() == 1);
  CHECK(contacts[0][0].part == 0);
  CHECK(contacts[0][0].least() == Approx(0.02 / 4.0).epsilon(0.1));
  CHECK(contacts[0][0].within(0.001) == 0);
  CHECK(contacts[0][0].within(0.01) > 20);
  REQUIRE(contacts[1].size() == 1);
  CHECK(contacts[1][0].part == 0);
  CHECK(contacts[1][0].least() > 0.2);
}
