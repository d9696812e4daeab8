#include "gvbind/primitive.h"

#include <catch2/catch.hpp>
#include <random>

using namespace gvbind;

namespace {

Eigen::Isometry3d turned_frame() {
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.rotate(Eigen::AngleAxisd(0.8, Eigen::Vector3d(1, 2, -1).normalized()));
  frame.pretranslate(Eigen::Vector3d(3, -2, 1));
  return frame;
}

}  // namespace

TEST_CASE("distances to primitives") {
  const Eigen::Vector3d far(10, 0, 0);
  CHECK(distance_to({Primitive::Kind::sphere, {1, 0, 0}, {0, 0, 0}, 2.0}, far) == Approx(7.0));
  CHECK(distance_to({Primitive::Kind::sphere, {9, 0, 0}, {0, 0, 0}, 2.0}, far) == 0.0);
  CHECK(distance_to({Primitive::Kind::capsule, {0, -5, 0}, {0, 5, 0}, 1.0}, far) == Approx(9.0));
  CHECK(distance_to({Primitive::Kind::capsule, {0, 0, 0}, {7, 0, 0}, 1.0}, far) == Approx(2.0));
  CHECK(distance_to({Primitive::Kind::box, {7, 1, 1}, {-1, -1, -1}}, far) == Approx(3.0));
  CHECK(distance_to({Primitive::Kind::half_space, {4, 0, 0}, {-3, 0, 0}}, far) == Approx(6.0));
  CHECK(distance_to({Primitive::Kind::half_space, {4, 0, 0}, {3, 0, 0}}, far) == 0.0);
}

TEST_CASE("a primitive moves with its frame, and its bounds contain it") {
  const Eigen::Isometry3d frame = turned_frame();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> coordinate(-4.0, 4.0);
  const Primitive shapes[] = {{Primitive::Kind::sphere, {1, 0, 0.5}, {0, 0, 0}, 1.5},
                              {Primitive::Kind::capsule, {-2, 0, 0}, {1, 2, 0}, 0.7},
                              {Primitive::Kind::box, {-1, -2, 0}, {2, 1, 0.5}}};
  for (const Primitive& own : shapes) {
    Primitive moved = own;
    moved.frame = frame;
    for (int i = 0; i < 500; ++i) {
      const Eigen::Vector3d p(coordinate(random), coordinate(random), coordinate(random));
      CHECK(distance_to(moved, frame * p) == Approx(distance_to(own, p)).margin(1e-9));
      if (distance_to(own, p) == 0.0)
        CHECK(bounds_of(moved).exteriorDistance(frame * p) == Approx(0.0).margin(1e-9));
    }
  }
}
