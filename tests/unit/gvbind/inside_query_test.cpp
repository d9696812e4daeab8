#include "gvbind/prepare/winding_number.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

TEST_CASE("a body contains the space its surface encloses, whichever way the surface faces") {
  Shape shape = box({-1, 0, 2}, {3, 1, 4});
  for (const bool flipped : {false, true}) {
    if (flipped)
      for (Triangle& t : shape.triangles) std::swap(t[1], t[2]);
    const UnitScene scene = unit_scene(shape);
    const WindingTree winding(scene);
    const InsideQuery body(scene.cube, scene, winding);
    CHECK(body.size() == Approx(4.0).epsilon(1e-4));
    CHECK(body.contains({0, 0.5, 3}));
    CHECK_FALSE(body.contains({0, 1.2, 3}));
    CHECK(body.gap({3, 1, 5}) == Approx(1.0).epsilon(1e-4));
    CHECK(body.depth({0, 0.5, 3}, {1, 0, 0}, 10.0) == Approx(3.0).margin(0.01));
    CHECK(body.depth({0, 0.5, 3}, {1, 0, 0}, 2.0) == 2.0);
    CHECK(body.depth({0, 1.5, 3}, {0, -1, 0}, 10.0) == 0.0);
    CHECK(body.inside_fraction({2, 0.5, 3}, {4, 0.5, 3}) == Approx(0.5).margin(0.06));
  }
}
