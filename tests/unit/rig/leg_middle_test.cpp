#include "rig/leg_middle.h"

#include <catch2/catch.hpp>
#include <string>

#include "rig/builtin_templates.h"
#include "rig/rig_character.h"
#include "support/shapes.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;
using test::Shape;

/// A body one unit high up to its neck, with a head of a box; `head`: half of its width.
Shape figure(double head) {
  Shape shape = test::capsule({0.0, 0.5, 0.0}, {0.0, 0.85, 0.0}, 0.13);
  for (const double side : {-1.0, 1.0}) {
    shape.append(test::capsule({side * 0.09, 0.05, 0.0}, {side * 0.09, 0.5, 0.0}, 0.06));
    shape.append(test::capsule({side * 0.09, 0.04, 0.0}, {side * 0.09, 0.04, 0.12}, 0.04));
    shape.append(test::capsule({side * 0.1, 0.88, 0.0}, {side * 0.55, 0.88, 0.0}, 0.05));
  }
  shape.append(test::capsule({0.0, 0.85, 0.0}, {0.0, 1.05, 0.0}, 0.06));
  shape.append(test::box({-head, 1.0, -head}, {head, 1.0 + 2.0 * head, head}));
  return shape;
}

Vector3d joint_of(const Shape& shape, const std::string& name) {
  const std::vector<Joint> joints = rig::builtin_template("biped").value();
  const rig::RiggedCharacter made = rig::rig_character({shape.positions, shape.triangles}, joints);
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].name == name) return made.joints[j].position;
  return Vector3d::Zero();
}

bool has_lower_middle(const Shape& shape, const char* kind) {
  const rig::RigTemplate rig = rig::analyzed_template(rig::builtin_template(kind).value());
  const rig::BodyVolume body = rig::body_volume({shape.positions, shape.triangles});
  rig::BodyTips tips = rig::find_tips(body);
  const rig::SymmetryPlane plane = rig::find_symmetry_plane(body);
  rig::add_mirrored_tips(body, plane, tips);
  const auto lower = rig::tips_to_legs(rig, body, tips, rig::assign_tips(rig, tips, plane));
  if (lower) CHECK(lower->middle.y() < tips.middle.y());
  return lower.has_value();
}

}  // namespace

TEST_CASE("the legs of a body with a large head are its middle, of no other") {
  CHECK(has_lower_middle(figure(0.6), "biped"));
  CHECK_FALSE(has_lower_middle(figure(0.15), "biped"));
  CHECK_FALSE(has_lower_middle(figure(0.6), "bird"));
}

TEST_CASE("neck and shoulders are below a head of any size") {
  for (const double head : {0.15, 0.3, 0.45, 0.6}) {
    const Shape shape = figure(head);
    CHECK(joint_of(shape, "neck").y() == Approx(0.97).margin(0.12));
    CHECK(joint_of(shape, "upper_arm.L").y() == Approx(0.88).margin(0.06));
    CHECK(joint_of(shape, "hand.L").x() > 0.35);
    CHECK(joint_of(shape, "thigh.L").y() < 0.65);
  }
}

}  // namespace gvbind
