#include "gvbind/prepare/normalize.h"

#include <catch2/catch.hpp>
#include <limits>

#include "gvbind/error.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::string refusal(const Shape& shape, const std::vector<JointBones>& influences = {}) {
  try {
    normalize(shape.positions, shape.triangles, influences);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::cannot_bind);
    return error.what();
  }
  return "no error";
}

const double not_finite[] = {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()};

}  // namespace

TEST_CASE("mesh and bones are centered and fill the cube up to the margin") {
  const JointBones bone{{{{0, 0, 0}, {0, 5, 0}}}};
  const UnitScene scene = unit_scene(box({-1, 0, -1}, {1, 2, 1}), {&bone, 1});
  Eigen::Vector3i low = scene.positions[0], high = low;
  for (const Eigen::Vector3i& p : scene.positions) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  CHECK(low.y() == lattice_margin);
  CHECK(scene.bones[0][0].b.y() == lattice_size - lattice_margin);
  CHECK(low.x() + high.x() == lattice_size);
  CHECK(low.z() + high.z() == lattice_size);
  CHECK((high - low).x() == (high - low).y());
  CHECK(scene.triangles.size() == 12);
}

TEST_CASE("lattice points saturate far outside the cube") {
  const UnitScene scene = unit_scene(box({0, 0, 0}, {1, 1, 1}));
  CHECK(scene.cube.to_lattice({1e300, -1e300, 0.5}) ==
        Eigen::Vector3i((1 << 28) + lattice_size / 2, -(1 << 28) + lattice_size / 2,
                        lattice_size / 2));
}

TEST_CASE("errors name the input that cannot be normalized") {
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  for (const double bad : not_finite) {
    Shape broken = shape;
    broken.positions[5].y() = bad;
    CHECK(refusal(broken) == "vertex 5: its position is not finite");
    const JointBones bone{{{{0, 0, 0}, {0, 0, bad}}}};
    CHECK(refusal(shape, {JointBones{}, bone}) == "joint 1: its position is not finite");
  }
  Shape pointing_past = shape;
  pointing_past.triangles[3][1] = 8;
  CHECK(refusal(pointing_past) == "triangle 3: vertex 8 of 8");
  Shape bare = shape;
  bare.triangles.clear();
  CHECK(refusal(bare) == "the mesh has no triangles");
  Shape flat = shape;
  for (Eigen::Vector3d& p : flat.positions) p.setOnes();
  CHECK_THAT(refusal(flat), Catch::Contains("no usable extent"));
  Shape huge = shape;
  huge.positions[0].x() = -1.7e308;
  huge.positions[1].x() = 1.7e308;
  CHECK_THAT(refusal(huge), Catch::Contains("no usable extent"));
}

TEST_CASE("the sides of voxels are powers of two that fill the cube") {
  for (const int resolution : {16, 64, 256, 2048}) {
    CHECK(voxel_size(resolution) * resolution == lattice_size);
    CHECK(1 << voxel_shift(resolution) == lattice_size / resolution);
  }
}
