#include "check/skeleton_geometry.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "check/trousers.h"

namespace gvbind {

TEST_CASE("along a chain nothing branches off") {
  const check::SkeletonGeometry geometry(test::trousers_joints());
  const check::BranchLengths chain = geometry.between(1, 3);
  CHECK(chain.branch() == 0.0);
  CHECK(chain.path() == Approx(0.4));
  CHECK(geometry.between(3, 1).path() == Approx(0.4));
  CHECK(geometry.between(0, 1).path() == 0.0);
  CHECK(geometry.between(2, 1).path() == 0.0);
  CHECK(geometry.between(2, 2).path() == 0.0);
}

TEST_CASE("between legs the way goes over the hips") {
  const check::SkeletonGeometry geometry(test::trousers_joints());
  const double hip = std::hypot(0.2, 0.2);
  const check::BranchLengths thigh_to_foot = geometry.between(1, 6);
  CHECK(thigh_to_foot.from_a == Approx(hip));
  CHECK(thigh_to_foot.from_b == Approx(hip + 0.9));
  CHECK(thigh_to_foot.branch() == Approx(hip));
  CHECK(geometry.between(6, 1).from_a == Approx(hip + 0.9));
}

TEST_CASE("two trees meet halfway between their roots") {
  const check::SkeletonGeometry geometry({test::joint("a", -1, {0, 0, 0}),
                                          test::joint("b", -1, {4, 0, 0}),
                                          test::joint("c", 1, {4, 3, 0})});
  CHECK(geometry.between(0, 2).from_a == Approx(2.0));
  CHECK(geometry.between(0, 2).from_b == Approx(5.0));
}

TEST_CASE(
    "distances are to bones, and a joint without children reaches half its parent's bone on") {
  const check::SkeletonGeometry geometry(test::trousers_joints());
  CHECK(geometry.to_bones(1, {-0.5, 0.8, 0}) == Approx(0.3));
  CHECK(geometry.to_bones(3, {-0.2, -0.1, 0}) == Approx(0.0).margin(1e-12));
  CHECK(geometry.to_bones(3, {-0.2, -0.3, 0}) == Approx(0.2));
  CHECK(geometry.to_bones(0, {0, 1.2, 0.5}) == Approx(0.5));
}

TEST_CASE("bones without length and joints nowhere give finite ways") {
  auto joints = test::trousers_joints();
  joints[2].bind = joints[1].bind;
  joints[4].bind.translation().x() = NAN;
  const check::SkeletonGeometry geometry(joints);
  CHECK(geometry.between(1, 2).path() == 0.0);
  CHECK(std::isfinite(geometry.between(2, 6).path()));
  CHECK(std::isfinite(geometry.to_bones(4, {0, 0, 0})));
  CHECK(geometry.to_bones(1, joints[1].bind.translation()) == 0.0);
}

}  // namespace gvbind
