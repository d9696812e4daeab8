#include "gvbind/base/aabb.h"

#include <catch2/catch.hpp>

using namespace gvbind;

TEST_CASE("a point is clamped to a box axis by axis, and stays where it is inside") {
  const Eigen::Array3d low(0, 0, 0), high(2, 4, 6);
  CHECK(clamped_to_box({-1, 2, 9}, low, high) == Eigen::Vector3d(0, 2, 6));
  CHECK(clamped_to_box({1, 1, 1}, low, high) == Eigen::Vector3d(1, 1, 1));
  CHECK(offset_to_box({-1, 2, 9}, low, high) == Eigen::Vector3d(1, 0, -3));
  CHECK(offset_to_box({1, 1, 1}, low, high).isZero());
}
