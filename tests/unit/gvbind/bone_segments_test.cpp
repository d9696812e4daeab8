#include "gvbind/prepare/bone_segments.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "gvbind/prepare/winding_number.h"
#include "gvbind/unit_scene.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

using Point = Eigen::Vector3d;

const std::vector<Joint> forked = {
    {{0, 0, 0}, -1}, {{0, 1, 0}, 0}, {{1, 2, 0}, 1}, {{-1, 2, 0}, 1}};

}  // namespace

TEST_CASE("a joint owns the segments to its children, in their order") {
  const std::vector<JointBones> influences = bone_segments(forked);
  REQUIRE(influences.size() == 4);
  REQUIRE(influences[0].segments.size() == 1);
  CHECK(influences[0].segments[0].a == Point(0, 0, 0));
  CHECK(influences[0].segments[0].b == Point(0, 1, 0));
  REQUIRE(influences[1].segments.size() == 2);
  CHECK(influences[1].segments[0].b == Point(1, 2, 0));
  CHECK(influences[1].segments[1].b == Point(-1, 2, 0));
}

TEST_CASE("leaves follow the rule") {
  const JointBones extended = bone_segments(forked, {LeafRule::extend})[2];
  REQUIRE(extended.segments.size() == 1);
  CHECK(extended.segments[0].a == Point(1, 2, 0));
  CHECK(extended.segments[0].b == Point(1.5, 2.5, 0));
  const JointBones point = bone_segments(forked, {LeafRule::point})[2];
  REQUIRE(point.segments.size() == 1);
  CHECK(point.segments[0].a == point.segments[0].b);
  CHECK(bone_segments(forked, {LeafRule::ignore})[2].segments.empty());
}

TEST_CASE("a joint leads along its own axis where no child tells") {
  const UnitScene scene = unit_scene(box({-2, -2, -2}, {2, 2, 2}));
  const WindingTree winding(scene);
  const InsideQuery inside(scene.cube, scene, winding);
  std::vector<Joint> joints = {
      {{0, 0, 0}, -1}, {{0, 0.5, 0}, 0}, {{0.5, 0.5, 0}, 1}, {{0, 0, 0}, -1}};
  joints[1].along = Point(0, 1, 0);  // a head, whose child is an eye
  joints[3].along = Point(0, 0, 1);  // a root at another's place
  std::vector<JointBones> bones = bone_segments(joints, {LeafRule::surface}, &inside);
  REQUIRE(bones[1].segments.size() == 2);
  CHECK((bones[1].segments[1].b - Point(0, 1.0, 0)).norm() < 0.01);
  CHECK((bones[3].segments[0].b - Point(0, 0, 1.7)).norm() < 0.01);
  joints[1].along = Point(0.8, 0.6, 0);  // leads about to the eye
  joints.push_back({{0, 0, 1}, -1});     // on the way of the root
  bones = bone_segments(joints, {LeafRule::surface}, &inside);
  CHECK(bones[1].segments.size() == 1);
  CHECK((bones[3].segments[0].b - Point(0, 0, 0.85)).norm() < 0.01);
}

TEST_CASE("a head on a short piece of a neck has a bone as long as those before the piece") {
  const UnitScene scene = unit_scene(box({-2, -2, -2}, {2, 2, 2}));
  const WindingTree winding(scene);
  const InsideQuery inside(scene.cube, scene, winding);
  std::vector<Joint> joints = {
      {{0, -1.5, 0}, -1}, {{0, -1, 0}, 0}, {{0, 0, 0}, 1}, {{0, 0.2, 0}, 2}, {{0, 0.4, 0}, 3}};
  joints[4].along = Point(0, 1, 0);
  const auto end = [&] {
    return bone_segments(joints, {LeafRule::surface}, &inside)[4].segments.back().b.y();
  };
  CHECK(end() == Approx(1.4).margin(0.01));
  joints[4].position.y() = 0.6;  // 0.4 after a bone of 1
  CHECK(end() == Approx(1.0).margin(0.01));
  joints[4].position.y() = 0.4;
  joints[4].along = Point(0, 0, 1);
  for (Joint& joint : joints) joint.position.z() = 1.5;  // room for 0.5, less than three pieces
  CHECK(bone_segments(joints, {LeafRule::surface}, &inside)[4].segments.back().b.z() ==
        Approx(1.7).margin(0.01));
}

TEST_CASE(
    "a leaf outside the mesh or in a sheet leads as far along its axis as its parent's bone") {
  const UnitScene scene = unit_scene(box({-2, -2, -0.01}, {2, 2, 0.01}));
  const WindingTree winding(scene);
  const InsideQuery inside(scene.cube, scene, winding);
  std::vector<Joint> joints = {{{0, 0, 0}, -1}, {{1, 0, 0}, 0}, {{2.5, 0, 0}, 1}};
  const auto end = [&](std::size_t leaf) -> Point {
    return bone_segments(joints, {LeafRule::surface}, &inside)[leaf].segments.back().b;
  };
  CHECK(end(2) == Point(2.5, 0, 0));  // no axis is known
  joints[2].along = Point(1, 0, 0);
  CHECK((end(2) - Point(2.5 + 0.85 * 1.5, 0, 0)).norm() < 1e-6);
  joints[2].position = Point(1.5, 0, 0);
  joints[2].along = Point(0, 0, 1);  // across the sheet
  CHECK((end(2) - Point(1.5, 0, 0.85 * 0.5)).norm() < 1e-6);
  joints[2].along = Point(1, 0, 0);  // within it, where the surface is 0.5 away
  CHECK((end(2) - Point(1.5 + 0.85 * 0.5, 0, 0)).norm() < 0.01);
}

TEST_CASE("leaves of the paper's rule do not follow their own axis") {
  std::vector<Joint> joints = forked;
  for (Joint& joint : joints) joint.along = Point(0, 0, 1);
  const JointBones leaf = bone_segments(joints, {LeafRule::extend})[2];
  REQUIRE(leaf.segments.size() == 1);
  CHECK(leaf.segments[0].b == Point(1.5, 2.5, 0));
}

TEST_CASE("a lone root is a point") {
  const std::vector<Joint> one = {{{3, 4, 5}, -1}};
  const JointBones joint = bone_segments(one)[0];
  REQUIRE(joint.segments.size() == 1);
  CHECK(joint.segments[0].b == Point(3, 4, 5));
}

TEST_CASE("a joint that does not deform owns nothing but still ends its parent's segment") {
  std::vector<Joint> joints = forked;
  joints[2].deforms = false;
  const std::vector<JointBones> influences = bone_segments(joints);
  CHECK(influences[2].segments.empty());
  CHECK(influences[1].segments.size() == 2);
}

TEST_CASE("no bone leads to an end that stands where the root does") {
  std::vector<Joint> joints = forked;
  joints.push_back({{0, 0, 0}, 2, false});
  const std::vector<Segment> lost = bone_segments(joints, {LeafRule::extend})[2].segments;
  REQUIRE(lost.size() == 1);  // its own, as without the end
  CHECK(lost[0].b == Point(1.5, 2.5, 0));
  joints[4].position = {0, 0, 0.5};
  CHECK(bone_segments(joints, {LeafRule::extend})[2].segments[0].b == Point(0, 0, 0.5));
  joints[4] = {{0, 0, 0}, 2, true};  // owns weight, so its place counts
  CHECK(bone_segments(joints, {LeafRule::extend})[2].segments[0].b == Point(0, 0, 0));
}

TEST_CASE("a joint that another branch continues has its segment to there") {
  const std::vector<int> continued_by = {-1, -1, 0, -1};
  const std::vector<JointBones> influences =
      bone_segments(forked, {LeafRule::ignore}, nullptr, continued_by);
  REQUIRE(influences[2].segments.size() == 1);
  CHECK(influences[2].segments[0].b == Point(0, 0, 0));
  CHECK(influences[3].segments.empty());
}

TEST_CASE("of several segments those that turn back are halved when asked") {
  std::vector<Joint> joints = forked;
  joints[3].position = {-1, 0.5, 0};
  const JointBones whole = bone_segments(joints)[1];
  CHECK(whole.segments[1].b == Point(-1, 0.5, 0));
  const JointBones halved = bone_segments(joints, {LeafRule::extend, true})[1];
  CHECK(halved.segments[0].b == Point(1, 2, 0));
  CHECK(halved.segments[1].b == Point(-0.5, 0.75, 0));
}
