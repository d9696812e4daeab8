#include "gvbind/weights/component_joints.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// A trunk with two bones, a helmet around a third bone with a plume on it, and a leg with its own
/// bone.
struct Knight {
  Shape shape;
  std::vector<JointBones> bones;
};

Knight knight() {
  Knight k;
  k.shape = capsule({0, 0, 0}, {0, 4, 0}, 0.8, 24, 24);      // part 0
  k.shape.append(box({-0.5, 4.9, -0.5}, {0.5, 6, 0.5}));     // 1: helmet
  k.shape.append(box({-0.1, 6.01, -0.1}, {0.1, 6.5, 0.1}));  // 2: plume
  k.shape.append(box({0.85, -3, -0.3}, {1.5, 0.5, 0.3}));    // 3: leg, beside the trunk
  k.bones = {{{{{0, 0, 0}, {0, 2, 0}}}},
             {{{{0, 2, 0}, {0, 4, 0}}}},
             {{{{0, 5, 0}, {0, 5.9, 0}}}},
             {{{{1.1, 0.4, 0}, {1.1, -2.8, 0}}}}};
  return k;
}

}  // namespace

TEST_CASE("parts are open, rigid or attached by the bones in them") {
  const Knight k = knight();
  const UnitScene scene = unit_scene(k.shape, k.bones);
  const ComponentJoints joints = component_joints(character_of(scene), scene.bones);
  CHECK(joints.kind == std::vector<ComponentKind>{ComponentKind::open, ComponentKind::rigid,
                                                  ComponentKind::attached, ComponentKind::rigid});
  CHECK(joints.joint[1] == 2);
  CHECK(joints.joint[3] == 3);
  CHECK(joints.admits[0] == std::vector<bool>{true, true, false, false});
  CHECK(joints.admits[1] == std::vector<bool>{false, false, true, false});
  CHECK(joints.admits[2] == joints.admits[1]);
}

TEST_CASE("parts inside out are sorted alike") {
  Knight k = knight();
  for (Triangle& t : k.shape.triangles) std::swap(t[1], t[2]);
  const UnitScene scene = unit_scene(k.shape, k.bones);
  const ComponentJoints joints = component_joints(character_of(scene), scene.bones);
  CHECK(joints.kind[1] == ComponentKind::rigid);
  CHECK(joints.kind[2] == ComponentKind::attached);
}

TEST_CASE("a joint whose bones no part holds may own everywhere") {
  Knight k = knight();
  k.bones.push_back({{{{3, 3, 0}, {3, 4, 0}}}});
  const UnitScene scene = unit_scene(k.shape, k.bones);
  const ComponentJoints joints = component_joints(character_of(scene), scene.bones);
  for (std::size_t p = 0; p < 4; ++p) CHECK(joints.admits[p][4]);
}

TEST_CASE("the only part admits all") {
  const UnitScene scene = unit_scene(capsule({0, 0, 0}, {0, 4, 0}, 0.8), knight().bones);
  const ComponentJoints joints = component_joints(character_of(scene), scene.bones);
  CHECK(joints.kind == std::vector<ComponentKind>{ComponentKind::open});
  CHECK(joints.admits[0] == std::vector<bool>(4, true));
}
