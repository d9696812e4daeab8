#include "retarget/shape_roles.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "bodies.h"

using namespace gvbind;
using retarget::BodyRoles;

namespace {

/// The same joints with numbers for names.
NodeScene unnamed(NodeScene scene) {
  for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    scene.nodes[i].name = "Bone." + std::to_string(17 * i % 97);
  return scene;
}

BodyRoles by_names(const NodeScene& scene) {
  return retarget::body_roles(retarget::node_pose_skeleton(scene));
}

const std::set<std::string> fingers = {"thumb", "index", "middle", "ring", "little"};

/// Checks that all parts but fingers are the same joints.
void check_same_parts(const BodyRoles& found, const BodyRoles& expected) {
  REQUIRE(expected.is_body());
  CHECK(found.by_shape);
  for (const auto& [part, nodes] : expected.parts) {
    if (fingers.contains(part.substr(0, part.find('.')))) continue;
    INFO(part);
    REQUIRE(found.parts.contains(part));
    CHECK(found.parts.at(part) == nodes);
  }
}

NodeScene turned(NodeScene scene, double degrees) {
  const Eigen::Quaterniond turn(
      Eigen::AngleAxisd(degrees * 3.14159265358979 / 180.0, Eigen::Vector3d::UnitY()));
  for (Node& node : scene.nodes)
    if (node.parent < 0) {
      node.local.translation = turn * node.local.translation;
      node.local.rotation = turn * node.local.rotation;
    }
  return scene;
}

int node_called(const NodeScene& scene, const std::string& name) {
  for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    if (scene.nodes[i].name == name) return static_cast<int>(i);
  return -1;
}

/// Hangs a node from another one without moving it; rotations are those of the world.
void hang(NodeScene& scene, int node, int parent) {
  const auto rest = retarget::node_pose_skeleton(scene);
  scene.nodes[node].parent = parent;
  scene.nodes[node].local.translation = rest.world.positions[node] - rest.world.positions[parent];
}

}  // namespace

TEST_CASE("a body without telling names has the parts of its named twin", "[retarget]") {
  for (const double degrees : {0.0, 90.0, 180.0, 250.0}) {
    INFO("turned by " << degrees);
    for (const NodeScene& body : {bodies::plain_body(), bodies::template_body("biped", 0.3)}) {
      const NodeScene scene = turned(body, degrees);
      check_same_parts(retarget::scene_roles(unnamed(scene), {}), by_names(scene));
    }
  }
}

TEST_CASE("names count before shape", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  const BodyRoles roles = retarget::scene_roles(scene, {});
  CHECK_FALSE(roles.by_shape);
  CHECK(roles.parts == by_names(scene).parts);
}

TEST_CASE("limbs bent in different ways are still a pair", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  const BodyRoles expected = by_names(scene);
  const auto bend = [&](const char* name, double degrees, const Eigen::Vector3d& axis) {
    scene.nodes[node_called(scene, name)].local.rotation =
        Eigen::AngleAxisd(degrees * 3.14159265358979 / 180.0, axis);
  };
  bend("LeftForeArm", 70.0, Eigen::Vector3d::UnitZ());
  bend("RightArm", 40.0, Eigen::Vector3d::UnitZ());
  bend("LeftLeg", 25.0, Eigen::Vector3d::UnitX());
  check_same_parts(retarget::scene_roles(unnamed(scene), {}), expected);
}

TEST_CASE("collars that begin at one place are no upper arms", "[retarget]") {
  std::vector<bodies::Part> parts = bodies::t_pose();
  const std::size_t joints = parts.size();
  for (std::size_t i = 0; i < joints; ++i) {
    const std::string name = parts[i].name;
    if (name.ends_with("Shoulder")) parts[i].place.x() = 0.0;
    if (!name.ends_with("ForeArm")) continue;
    // A thumb that hangs from the elbow does not make the elbow a hand.
    parts.push_back({"spur", static_cast<int>(i), parts[i].place + Eigen::Vector3d(0, 0, 0.15)});
  }
  const NodeScene scene =
      bodies::scene_of(parts, [](std::size_t) { return Eigen::Quaterniond::Identity(); });
  check_same_parts(retarget::scene_roles(unnamed(scene), {}), by_names(scene));
}

TEST_CASE("feet that hang from the root are found below their shins", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  for (const char* foot : {"LeftFoot", "RightFoot"}) hang(scene, node_called(scene, foot), 0);
  const BodyRoles roles = retarget::scene_roles(unnamed(scene), {});
  check_same_parts(roles, by_names(bodies::plain_body()));
  CHECK(roles.carriers[node_called(scene, "LeftFoot")] == node_called(scene, "LeftLeg"));
}

TEST_CASE("other animals, joints at one point and crowds of joints have no parts by shape",
          "[retarget]") {
  for (const char* name : {"quadruped", "bird", "fish", "spider", "hand"}) {
    INFO(name);
    CHECK_FALSE(retarget::scene_roles(unnamed(bodies::template_body(name)), {}).by_shape);
  }
  CHECK_FALSE(retarget::shape_roles({}, {}).by_shape);
  NodeScene point = unnamed(bodies::plain_body());
  for (Node& node : point.nodes) node.local.translation = Eigen::Vector3d::Zero();
  CHECK_FALSE(retarget::scene_roles(point, {}).by_shape);
  NodeScene crowd = unnamed(bodies::plain_body());
  Node joint;
  joint.parent = 0;
  joint.is_joint = true;
  crowd.nodes.resize(900, joint);
  CHECK(retarget::scene_roles(crowd, {}).by_shape);
  crowd.nodes.resize(50000, joint);
  CHECK_FALSE(retarget::scene_roles(crowd, {}).by_shape);
}
