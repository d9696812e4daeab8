#include "gvbind/solid/bone_visibility.h"

#include <catch2/catch.hpp>

#include "gvbind/solid_of.h"

using namespace gvbind;
using namespace gvbind::test;

TEST_CASE("the bone behind a surface is the nearest that lies inside, not one before it") {
  Figure f;
  f.shape = box({0, 0, 0}, {1, 4, 1});
  f.shape.append(box({1.2, 0, 0}, {2.2, 4, 1}));
  f.joints = {{{0.3, 0.5, 0.5}, -1},
              {{0.3, 3.5, 0.5}, 0, false},
              {{1.3, 0.5, 0.5}, -1},
              {{1.3, 3.5, 0.5}, 2, false}};
  const Staged s = staged(f, 64);
  const auto bone = [&](const Eigen::Vector3d& at, const Eigen::Vector3d& normal) {
    return visible_bone(s.character.bones, s.solid.non_exterior,
                        s.character.cube.to_lattice(at).cast<double>(), normal);
  };
  // On the side of the first box that faces the second, whose bone is nearer.
  const auto found = bone({1, 2, 0.5}, {1, 0, 0});
  REQUIRE(found);
  CHECK(found->joint == 0);
  CHECK((found->position - s.character.cube.to_lattice({0.3, 2, 0.5}).cast<double>()).norm() < 4.0);
  // Inward from this surface, only the other bone is visible, beyond the gap.
  CHECK_FALSE(bone({1, 2, 0.5}, {-1, 0, 0}));
}

TEST_CASE("a bone that is hidden or missing is not returned") {
  Figure f;
  f.shape = box({0, 0, 0}, {1, 1, 1});
  f.shape.append(box({3, 0, 0}, {4, 1, 1}));
  f.joints = {{{3.5, 0.2, 0.5}, -1}, {{3.5, 0.8, 0.5}, 0, false}};
  const Staged s = staged(f, 64);
  const Eigen::Vector3d left = s.character.cube.to_lattice({0, 0.5, 0.5}).cast<double>();
  CHECK_FALSE(visible_bone(s.character.bones, s.solid.non_exterior, left, {-1, 0, 0}));
  LatticeBones bare(s.character.bones.size());
  CHECK_FALSE(visible_bone(bare, s.solid.non_exterior, left, {-1, 0, 0}));
}
