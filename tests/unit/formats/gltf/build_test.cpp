#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"
#include "support/shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Scene character() {
  const Shape shape = capsule({0, 0, 0}, {0, 2, 0}, 0.3);
  Scene scene;
  SceneMesh mesh;
  mesh.name = "tube";
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  mesh.normals.assign(shape.positions.size(), Eigen::Vector3f(0, 0, 2));
  mesh.texture_coordinates.assign(shape.positions.size(), Eigen::Vector2f(0.5f, 0.25f));
  mesh.color = Eigen::Vector4f(1, 0.5f, 0, 0.5f);
  scene.meshes = {mesh, mesh};
  for (int j = 0; j < 3; ++j) {
    SceneJoint joint;
    joint.name = "j" + std::to_string(j);
    joint.parent = j - 1;
    joint.bind.translation() = Eigen::Vector3d(0, j, 0);
    scene.joints.push_back(joint);
  }
  return scene;
}

}  // namespace

TEST_CASE("a built document reads back as the scene it was built from") {
  const Scene scene = character();
  Findings findings;
  const auto document = build_gltf(scene);
  const Scene direct = scene_of(*document, {}, findings);
  const Bytes glb = encoded(*document);
  const Scene read = scene_of(*parse_gltf(glb, "a.glb"), {}, findings);
  for (const Scene& again : {direct, read}) {
    REQUIRE(again.meshes.size() == 2);
    REQUIRE(again.joints.size() == 3);
    for (std::size_t i = 0; i < scene.meshes[0].positions.size(); ++i)
      CHECK((again.meshes[0].positions[i] - scene.meshes[0].positions[i]).norm() < 1e-6);
    CHECK(again.meshes[0].triangles == scene.meshes[0].triangles);
    CHECK(again.joints[2].parent == 1);
    CHECK(again.joints[2].bind.isApprox(scene.joints[2].bind));
    CHECK_FALSE(again.has_skin());
  }
  const Json json = chunks_of(glb).json;
  CHECK(json["materials"].size() == 1);
  CHECK(json["materials"][0]["alphaMode"] == "BLEND");
}

TEST_CASE("a built document takes a skin") {
  Findings findings;
  const auto document = build_gltf(character());
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  const std::size_t n = scene.meshes[0].positions.size();
  weights.meshes = {mixed_weights(n, 3, 3), {}};
  patch_skin(*document, scene, weights);
  const Scene again = scene_of(*parse_gltf(encoded(*document), "a.glb"), {}, findings);
  CHECK(again.meshes.at(0).weights.joint == weights.meshes[0].joint);
  CHECK(again.meshes.at(1).weights.empty());
}

TEST_CASE("units and axes become meters and +Y up") {
  Scene scene = character();
  scene.units.meters = 0.01;
  scene.units.up = Eigen::Vector3d::UnitZ();
  scene.units.front = -Eigen::Vector3d::UnitY();
  scene.joints[2].bind.translation() = Eigen::Vector3d(10, -20, 30);
  Findings findings;
  const auto document = build_gltf(scene);
  const Scene again = scene_of(*document, {}, findings);
  CHECK(again.joints[2].bind.translation().isApprox(Eigen::Vector3d(0.1, 0.3, 0.2)));
  CHECK(again.joints[2].bind.linear().colwise().norm().isApprox(Eigen::RowVector3d(1, 1, 1)));
  const Json json = chunks_of(encoded(*document)).json;
  for (const Json& node : json["nodes"]) CHECK_FALSE(node.contains("scale"));
}

TEST_CASE("joints are built without the scale and mirroring that they had") {
  Scene scene = character();
  scene.joints[0].bind.linear() = Eigen::Vector3d(100, 100, 100).asDiagonal();
  scene.joints[1].bind.linear() =
      Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX()).toRotationMatrix() *
      Eigen::Vector3d(2.0, 3.0, -4.0).asDiagonal();
  scene.joints[2].bind.linear().setZero();
  Findings findings;
  const Scene again = scene_of(*build_gltf(scene), {}, findings);
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(again.joints[j].bind.linear().isUnitary(1e-9));
    CHECK(again.joints[j].bind.linear().determinant() > 0);
    CHECK(again.joints[j].bind.translation().isApprox(scene.joints[j].bind.translation()));
  }
}

TEST_CASE("a scene without meshes or joints builds too") {
  Findings findings;
  CHECK(scene_of(*build_gltf({}), {}, findings).meshes.empty());
  Scene points = character();
  points.meshes[0].triangles.clear();
  points.meshes[1].positions.clear();
  points.joints.clear();
  const Scene again = scene_of(*parse_gltf(encoded(*build_gltf(points)), "a.glb"), {}, findings);
  REQUIRE(again.meshes.size() == 1);
  CHECK(again.meshes[0].triangles.empty());
}

TEST_CASE("a vertex beyond single precision is an error that names the mesh") {
  Scene scene = character();
  scene.meshes[0].positions[2].y() = 1e150;
  const std::string message = error_of(ErrorKind::input, [&] { build_gltf(scene); });
  CHECK(message ==
        "mesh \"" + scene.meshes[0].name + "\": vertex 2 is farther off than glTF can say");
}
