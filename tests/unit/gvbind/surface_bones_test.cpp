#include "gvbind/resolution/surface_samples.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

struct Owned {
  UnitScene scene;
  SkeletonDistance skeleton;
  SurfaceBones owners;

  explicit Owned(const std::vector<Joint>& joints)
      : scene(normalize(cube.positions, cube.triangles, bone_segments(joints, {}))),
        skeleton(joints, scene.cube),
        owners(scene.bones, skeleton) {}

  BoneView owner(const Eigen::Vector3d& at, const Eigen::Vector3d& normal) const {
    return owners.owner({scene.cube.to_lattice(at).cast<double>(), normal, 0.0, 0});
  }

  bool far_apart(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const {
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    return owners.far_apart(owner(a, up), owner(b, up), 0.02, 0.3);
  }

  static inline const Shape cube = box({0, 0, 0}, {10, 10, 10});
};

}  // namespace

TEST_CASE("the owner lies behind the surface, however near another is in front") {
  const Owned owned({{{2, 5, 2}, -1}, {{2, 5, 8}, 0}, {{5, 5, 2}, -1}, {{5, 5, 8}, 2}});
  const BoneView view = owned.owner({4.5, 5, 5}, Eigen::Vector3d::UnitX());
  REQUIRE(view.found());
  CHECK(owned.owners.bones()[view.bone].joint == 0);
  CHECK(view.distance / owned.scene.cube.scale == Approx(2.5).epsilon(1e-4));
  CHECK(view.at == Approx(0.5).epsilon(1e-4));
  CHECK_FALSE(owned.owner({1, 5, 5}, Eigen::Vector3d::UnitX()).found());
}

TEST_CASE("far apart are branches, long ways and two trees, not neighbors", "[slow]") {
  // A chain along x in steps of 1, and a branch along y from its joint 1.
  std::vector<Joint> joints;
  for (int i = 0; i < 9; ++i) joints.push_back({{0.5 + i, 1, 1}, i - 1});
  joints.push_back({{1.5, 2, 1}, 1});
  joints.push_back({{1.5, 3, 1}, 9});
  joints.push_back({{5, 9, 1}, -1});
  joints.push_back({{6, 9, 1}, 11});
  const Owned owned(joints);
  CHECK_FALSE(owned.far_apart({2, 1, 2}, {2, 1, 2}));
  CHECK_FALSE(owned.far_apart({2, 1, 2}, {3, 1, 2}));
  CHECK_FALSE(owned.far_apart({2, 1, 2}, {4, 1, 2}));
  CHECK(owned.far_apart({2, 1, 2}, {7, 1, 2}));
  CHECK(owned.far_apart({4, 1, 2}, {1.5, 2.5, 2}));
  CHECK(owned.far_apart({1.5, 2.5, 2}, {4, 1, 2}));
  CHECK(owned.far_apart({4, 1, 2}, {5.5, 9, 2}));
}
