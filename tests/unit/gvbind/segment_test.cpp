#include "gvbind/base/segment.h"

#include <catch2/catch.hpp>

using gvbind::closest_parameter;

TEST_CASE("the closest parameter of a segment is that of the foot point, held within its ends") {
  const Eigen::Vector3d a(1, 1, 1), along(4, 0, 0);
  CHECK(closest_parameter(a, along, {2, 5, -3}) == 0.25);
  CHECK(closest_parameter(a, along, {-7, 1, 1}) == 0.0);
  CHECK(closest_parameter(a, along, {50, 9, 9}) == 1.0);
  CHECK(closest_parameter(a, Eigen::Vector3d::Zero(), {50, 9, 9}) == 0.0);
}
