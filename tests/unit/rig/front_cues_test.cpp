#include "rig/front_cues.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rig/builtin_templates.h"
#include "rig/face_parts.h"
#include "rig/orientation.h"
#include "rig/rig_skeleton.h"
#include "support/shapes.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;
using test::Shape;

/// A figure that is the same from the front and from behind, with feet to neither.
Shape statue() {
  Shape shape = test::box({-0.17, 0.5, -0.1}, {0.17, 1.0, 0.1});
  for (const double side : {-1.0, 1.0}) {
    shape.append(test::capsule({side * 0.1, 0.06, 0.0}, {side * 0.1, 0.55, 0.0}, 0.06));
    shape.append(test::capsule({side * 0.15, 0.93, 0.0}, {side * 0.6, 0.93, 0.0}, 0.05));
  }
  shape.append(test::capsule({0.0, 0.95, 0.0}, {0.0, 1.1, 0.0}, 0.05));
  shape.append(test::box({-0.13, 1.08, -0.13}, {0.13, 1.36, 0.13}));
  return shape;
}

/// `side`: 1 for one in front.
Shape with_tail(double side, double height) {
  Shape shape = statue();
  shape.append(test::capsule({0.0, height, 0.0}, {0.0, height, side * 0.6}, 0.04));
  return shape;
}

Vector3d tail_of(const Shape& shape) {
  const rig::BodyVolume body =
      rig::body_volume({shape.positions, shape.triangles}, {.resolution = 64});
  return rig::tail_direction(body, rig::find_tips(body), rig::find_symmetry_plane(body), {0, 1, 0});
}

Eigen::Matrix3d turn_of(const Shape& shape, const char* kind, std::optional<Vector3d> face = {}) {
  rig::RigOptions options;
  options.orient = rig::OrientRule::upright;
  options.face = face;
  return rig::rig_character({shape.positions, shape.triangles}, rig::builtin_template(kind).value(),
                            options)
      .turn;
}

SceneMesh mesh_of(const Shape& shape, const std::string& name) {
  SceneMesh mesh;
  mesh.name = name;
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  return mesh;
}

}  // namespace

TEST_CASE("a tail is long, thin and low, between the sides") {
  CHECK(tail_of(with_tail(1.0, 0.6)).z() > 0.2);
  CHECK(tail_of(with_tail(-1.0, 0.6)).z() < -0.2);
  CHECK(tail_of(statue()).isZero());
  CHECK(tail_of(with_tail(1.0, 1.2)).isZero());  // a long nose
  Shape beside = statue();
  beside.append(test::capsule({0.15, 0.6, 0.0}, {0.15, 0.6, 0.6}, 0.04));
  CHECK(tail_of(beside).isZero());  // a sword at the belt
}

TEST_CASE("a human has its tail at its back") {
  CHECK(turn_of(statue(), "biped").isIdentity());
  CHECK(turn_of(with_tail(-1.0, 0.6), "biped").isIdentity());
  const Eigen::Matrix3d turn = turn_of(with_tail(1.0, 0.6), "biped");
  CHECK(turn(1, 1) == 1.0);
  CHECK(turn(2, 2) == -1.0);
}

TEST_CASE("a human has its face at its front") {
  CHECK(turn_of(statue(), "biped", Vector3d(0.0, 1.2, 0.12)).isIdentity());
  CHECK(turn_of(statue(), "biped", Vector3d(0.0, 1.2, 0.0)).isIdentity());
  CHECK(turn_of(statue(), "biped", Vector3d(0.0, 1.2, -0.12))(2, 2) == -1.0);
}

TEST_CASE("a place is in front of the middle of the body at its height") {
  const Shape shape = statue();
  const rig::BodyVolume body =
      rig::body_volume({shape.positions, shape.triangles}, {.resolution = 64});
  const auto offset = [&](const Vector3d& place) {
    return rig::offset_at_height(body, body.from_bind(place), {0, 1, 0});
  };
  CHECK((offset({0.0, 1.2, 0.1}) - Vector3d(0.0, 0.0, 0.77)).norm() < 0.1);
  CHECK((offset({-0.1, 1.2, 0.0}) - Vector3d(-0.77, 0.0, 0.0)).norm() < 0.1);
  CHECK(offset({0.0, 3.0, 0.1}).isZero());
}

TEST_CASE("names of eyes, mouths and glasses are those of faces") {
  for (const char* name :
       {"Eyes", "Monkey_Nose", "EyeLeft", "Wolf3D_Glasses.001", "mouth", "TEETH"})
    CHECK(rig::names_face_part(name));
  for (const char* name :
       {"Body", "Surface", "Glass", "Head", "Face", "Hair", "Eyre", "Earring", ""})
    CHECK_FALSE(rig::names_face_part(name));
}

TEST_CASE("triangles of faces are found by mesh and by material, unless they are all") {
  Scene scene;
  scene.meshes = {mesh_of(test::box({0, 0, 0}, {1, 1, 1}), "body"),
                  mesh_of(test::box({0, 2, 0}, {1, 3, 1}), "head")};
  scene.meshes[0].materials = {"skin", "eye"};
  scene.meshes[0].triangle_materials.assign(scene.meshes[0].triangles.size(), 0);
  scene.meshes[0].triangle_materials[3] = 1;
  const auto face = rig::face_triangles(scene);
  REQUIRE(face[0].size() == 1);
  CHECK(face[0][0] == scene.meshes[0].triangles[3]);
  CHECK(face[1].empty());
  scene.meshes[1].name = "Eyes";
  CHECK(rig::face_triangles(scene)[0].empty());
  CHECK(rig::face_triangles(scene)[1].empty());
}

TEST_CASE("a file whose eyes look along -z is rigged with its left on the other side") {
  const auto left_hand = [](double eyes) {
    Scene scene;
    scene.units.known = true;
    scene.meshes = {
        mesh_of(statue(), "body"),
        mesh_of(test::box({-0.08, 1.2, eyes - 0.01}, {0.08, 1.26, eyes + 0.01}), "eyes")};
    Findings findings;
    const rig::MadeSkeleton made = rig::made_skeleton(scene, rig::open_template("biped", {}),
                                                      rig::JointNames::gvbind, {}, {}, findings);
    for (const SceneJoint& joint : made.scene.joints)
      if (joint.name == "hand.L") return joint.bind.translation().x();
    return 0.0;
  };
  CHECK(left_hand(0.13) > 0.3);
  CHECK(left_hand(-0.13) < -0.3);
}

TEST_CASE("the middle of a surface counts triangles by their size") {
  const std::vector<Vector3d> positions = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0},
                                           {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
  const auto center = rig::surface_center(positions, triangles);
  REQUIRE(center);
  CHECK(center->z() == Approx(0.2));
  CHECK_FALSE(rig::surface_center(positions, {}));
}

}  // namespace gvbind
