#include "gvbind/prepare/character.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Character layout_of(const Figure& f, const CharacterOptions& options) {
  return prepare_character({f.shape.positions, f.shape.triangles}, f.joints, options);
}

double length(const LatticeSegment& s, const UnitCube& cube) {
  return (s.b - s.a).cast<double>().norm() / cube.scale;
}

}  // namespace

TEST_CASE("a leaf's bone ends shortly before the surface, and is no longer than its parent's") {
  Figure f;
  f.shape = capsule({0, 0, 0}, {0, 4, 0}, 0.5, 16, 8);
  f.joints = {{{0, 0, 0}, -1}, {{0, 3, 0}, 0}};
  const Character near = layout_of(f, {});
  CHECK(length(near.bones[1][0], near.cube) == Approx(0.85 * 1.5).margin(0.02));
  f.joints[0].position.y() = 2.5;
  const Character capped = layout_of(f, {});
  CHECK(length(capped.bones[1][0], capped.cube) == Approx(0.5).margin(0.01));
}

TEST_CASE("who owns nothing is named, and widens no box") {
  Figure f = figure();
  f.joints.push_back({{0.0, -0.1, 0.0}, -1});
  std::rotate(f.joints.begin(), f.joints.end() - 1, f.joints.end());
  for (Joint& joint : f.joints) ++joint.parent;
  f.joints[0].parent = -1;
  f.joints[0].name = "root";
  f.joints.push_back({{0.0, 0.5, 9.0}, 0, true, "pole"});
  const Character layout = layout_of(f, {});
  REQUIRE(layout.findings.size() == 2);
  CHECK(layout.findings[0].code == "joint-holds-others");
  CHECK(layout.findings[0].pointer == "root");
  CHECK(layout.findings[1].code == "joint-away");
  CHECK(layout.findings[1].message.find("joint 'pole' ") == 0);
  CHECK(layout.bones[0].empty());
  CHECK(layout.bones.back().empty());

  const Character kept = layout_of(f, {LeafRule::extend, ControlRule::keep});
  CHECK(kept.findings.empty());
  CHECK(kept.bones[0].size() == 2);
  CHECK(kept.cube.scale < layout.cube.scale / 2.0);
}
