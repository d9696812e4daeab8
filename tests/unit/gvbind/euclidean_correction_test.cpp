#include "gvbind/weights/euclidean_correction.h"

#include <catch2/catch.hpp>

#include "gvbind/solid_of.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

constexpr double side = lattice_size;

/// Two bones from one point, along x and along y, without voxels.
EuclideanCorrection crossing() {
  EuclideanCorrection reach;
  reach.first = {0, 1, 2};
  reach.bones = {{{0, 0, 0}, {side / 2, 0, 0}, 1.0}, {{0, 0, 0}, {0, side / 2, 0}, 1.0}};
  reach.detour = 1.1;
  reach.tolerance = 0.01;
  return reach;
}

}  // namespace

TEST_CASE("a path near to straight counts as straight") {
  std::vector<JointDistance> reaches = {{0, 0.108}, {1, 0.109}};
  correct_distances(crossing(), {lattice_size / 10, lattice_size / 10, 0}, reaches);
  CHECK(reaches[0].distance == Approx(0.1).epsilon(1e-4));
  CHECK(reaches[1].distance == Approx(0.1).epsilon(1e-4));
  CHECK(reaches[0].joint == 0);
}

TEST_CASE("the excess of a path over the others is kept") {
  std::vector<JointDistance> reaches = {{0, 0.15}, {1, 0.45}};
  correct_distances(crossing(), {lattice_size / 10, lattice_size / 10, 0}, reaches);
  CHECK(reaches[0].joint == 0);
  CHECK(reaches[0].distance == Approx(0.1).epsilon(1e-4));
  CHECK(reaches[1].distance == Approx(0.1 + (0.45 - 0.15) - 0.01).epsilon(1e-4));
}

TEST_CASE("straight distances are sorted anew") {
  std::vector<JointDistance> reaches = {{0, 0.126}, {1, 0.13}};
  correct_distances(crossing(), {lattice_size * 3 / 25, lattice_size / 8, 0}, reaches);
  CHECK(reaches[0].joint == 1);
  CHECK(reaches[0].distance == Approx(0.12).epsilon(1e-4));
  CHECK(reaches[1].distance == Approx(0.125).epsilon(1e-4));
}

TEST_CASE("bones in thick parts reach further than bones in thin ones, by their deepest place") {
  Shape shape = box({-2, -0.1, -0.1}, {0, 0.1, 0.1});
  shape.append(box({0, -1, -1}, {2, 1, 1}));
  const std::vector<JointBones> bones = {{{{{-1.8, 0, 0}, {-0.5, 0, 0}}}},
                                         {{{{1, 0, 0}, {1.5, 0, 0}}}}};
  const UnitScene scene = unit_scene(shape, bones);
  const SparseVoxels voxels =
      sparse_voxels(combine_votes(voxelize_columns(scene, 64), boundary_voxels(scene, 64)).solid,
                    bone_voxels(scene.bones, 64));
  const EuclideanCorrection reach = euclidean_correction(scene.bones, voxels);
  REQUIRE(reach.bones.size() == 2);
  CHECK(reach.bones[1].factor < reach.bones[0].factor);
  CHECK(reach.bones[1].factor == Approx(std::pow(0.05 / 0.25, 0.15)).epsilon(0.02));
  // 0.1 of a cube of 4 is 0.025, which is 1.6 voxels: the depth is known to half a voxel.
  CHECK(reach.bones[0].factor > std::pow(0.05 / 0.035, 0.15));
  CHECK(reach.bones[0].factor < std::pow(0.05 / 0.015, 0.15));
  CorrectionOptions plain;
  plain.thickness_power = 0.0;
  for (const EuclideanCorrection::Bone& bone :
       euclidean_correction(scene.bones, voxels, plain).bones)
    CHECK(bone.factor == 1.0);
}
