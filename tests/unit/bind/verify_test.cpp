#include "bind/verify.h"

#include <catch2/catch.hpp>
#include <functional>

#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

SkinWeights weights_of_two_joints() {
  SkinWeights weights;
  weights.first = {0, 1, 3, 4};
  weights.joint = {0, 0, 1, 1};
  weights.weight = {1.0F, 0.25F, 0.75F, 1.0F};
  return weights;
}

/// A triangle between two joints, with this skin.
Scene bound_scene() {
  Scene scene;
  SceneMesh mesh;
  mesh.name = "body";
  mesh.node = 5;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.weights = weights_of_two_joints();
  scene.meshes = {mesh};
  scene.joints.resize(2);
  scene.joints[0].name = "hip";
  scene.joints[0].node = 7;
  scene.joints[1].name = "knee";
  scene.joints[1].node = 8;
  scene.joints[1].parent = 0;
  scene.joints[1].bind = Eigen::Translation3d(0, 1, 0) * Eigen::Affine3d::Identity();
  return scene;
}

SceneWeights new_weights() { return {.meshes = {weights_of_two_joints()}}; }

/// The error for a scene that was read back with this change.
std::string fault(const std::function<void(Scene&)>& change,
                  const SceneWeights& weights = new_weights()) {
  Scene read = bound_scene();
  change(read);
  const std::string message =
      error_of(ErrorKind::output, [&] { verify_written(bound_scene(), weights, read); });
  const std::string start = "read back differs: ";
  REQUIRE(message.starts_with(start));
  return message.substr(start.size());
}

/// Rows that keep old weights where there are no new ones: the second vertex keeps its own.
SceneWeights weights_to_fill() {
  SkinWeights fresh;
  fresh.first = {0, 1, 1, 2};
  fresh.joint = {0, 1};
  fresh.weight = {1.0F, 1.0F};
  return {.meshes = {fresh}, .fills = {true}};
}

}  // namespace

TEST_CASE("a mesh with a scale of zero is compared in its place", "[verify]") {
  Scene scene = bound_scene();
  SceneMesh hidden;
  hidden.name = "hidden";
  hidden.positions = {{1, 2, 3}, {1, 2, 3}};
  hidden.to_bind = Eigen::Translation3d(1, 2, 3) * Eigen::Affine3d(Eigen::Matrix4d::Zero());
  hidden.selected = false;
  scene.meshes.push_back(hidden);
  SceneWeights weights = new_weights();
  weights.meshes.emplace_back();
  CHECK_NOTHROW(verify_written(scene, weights, scene));
  Scene moved = scene;
  moved.meshes[1].positions[1].x() = 2;
  CHECK_THROWS_AS(verify_written(scene, weights, moved), Error);
}

TEST_CASE("a file that holds the written scene is accepted", "[verify]") {
  CHECK_NOTHROW(verify_written(bound_scene(), new_weights(), bound_scene()));
  CHECK_NOTHROW(verify_written(bound_scene(), weights_to_fill(), bound_scene()));
  // Rounded to single precision, with another order of joints and another bind space.
  Scene read = bound_scene();
  read.meshes[0].weights.weight[1] += 5e-7F;
  read.meshes[0].positions[2].y() += 1e-6;
  std::swap(read.joints[0], read.joints[1]);
  for (std::uint32_t& joint : read.meshes[0].weights.joint) joint = 1 - joint;
  const Eigen::Affine3d moved = Eigen::Translation3d(3, 4, 5) * Eigen::Affine3d::Identity();
  for (SceneJoint& joint : read.joints) joint.bind = moved * joint.bind;
  for (Eigen::Vector3d& p : read.meshes[0].positions) p = moved * p;
  read.meshes[0].to_bind = moved;
  CHECK_NOTHROW(verify_written(bound_scene(), new_weights(), read));
}

TEST_CASE("meshes and vertices that differ are found", "[verify]") {
  CHECK(fault([](Scene& s) { s.meshes.clear(); }) == "0 meshes, not 1");
  CHECK(fault([](Scene& s) { s.meshes[0].positions.pop_back(); }) ==
        "mesh 'body' has 2 vertices, not 3");
  CHECK(fault([](Scene& s) { s.meshes[0].positions[1].z() = 1e-3; }) ==
        "mesh 'body' vertex 1 has moved");
  CHECK(fault([](Scene& s) { s.meshes[0].positions[1].z() = std::nan(""); }) ==
        "mesh 'body' vertex 1 has moved");
}

TEST_CASE("joints that differ are found", "[verify]") {
  CHECK(fault([](Scene& s) { s.joints[1].name = "shin"; }) == "joint 'knee' is called 'shin'");
  CHECK(fault([](Scene& s) { s.joints[1].node = 9; }) == "joint 'knee' is gone");
  const std::string moved = fault([](Scene& s) { s.joints[1].bind.translation().x() = 1e-3; });
  CHECK(moved.starts_with("bind matrix of joint 'knee' for mesh 'body' (0.001"));
  CHECK(fault([](Scene& s) {
          s.joints[0].bind.linear()(0, 0) = std::nan("");
        }).starts_with("bind matrix of joint 'hip'"));
}

TEST_CASE("weights that differ are found", "[verify]") {
  const auto weights = [](Scene& scene) -> SkinWeights& { return scene.meshes[0].weights; };
  CHECK(fault([&](Scene& s) { weights(s) = {}; }) == "mesh 'body' has no skin");
  CHECK(fault([&](Scene& s) {
          weights(s).weight = {1.0F, 0.26F, 0.74F, 1.0F};
        }) == "mesh 'body' vertex 1 has another weight for joint 0");
  CHECK(fault([&](Scene& s) { weights(s).joint[3] = 0; }) ==
        "mesh 'body' vertex 2 has another weight for joint 1");
  CHECK(fault([&](Scene& s) { weights(s).weight[0] = 0.5F; }) ==
        "mesh 'body' vertex 0 has weights that sum to 0.500000");
  CHECK(fault([&](Scene& s) { weights(s).weight[0] = std::nanf(""); }).find("vertex 0") !=
        std::string::npos);
  CHECK(fault([&](Scene& s) {
          weights(s).first = {0, 1, 2, 3};
          weights(s).joint = {0, 1, 1};
          weights(s).weight = {1.0F, 1.0F, 1.0F};
        }) == "mesh 'body' vertex 1 has another number of influences");
}

TEST_CASE("weights that were to stay and did not are found", "[verify]") {
  const SceneWeights fill = weights_to_fill();
  // A smaller difference than new weights may have.
  CHECK(fault([](Scene& s) { s.meshes[0].weights.weight[1] += 1e-7F; }, fill) ==
        "mesh 'body' vertex 1 has not kept its weight for joint 0");
  const SceneWeights none{.meshes = {SkinWeights{}}};
  CHECK(fault([](Scene& s) { s.meshes[0].weights = {}; }, none) ==
        "mesh 'body' has lost its weights");
  CHECK(fault([](Scene& s) { s.meshes[0].weights.joint[0] = 1; }, none) ==
        "mesh 'body' vertex 0 has not kept its weight for joint 0");
}
