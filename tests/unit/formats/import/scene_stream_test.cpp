#include "formats/import/scene_stream.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

ImportedScene sample() {
  ImportedScene imported;
  SceneJoint root, tip;
  root.name = "root";
  root.bind.translation() = Eigen::Vector3d(1, 2, 3);
  tip.name = "tip";
  tip.parent = 0;
  tip.deforms = false;
  imported.scene.joints = {root, tip};
  SceneMesh mesh;
  mesh.name = "mesh";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.normals.assign(3, Eigen::Vector3f::UnitZ());
  mesh.texture_coordinates.assign(3, Eigen::Vector2f(0.25F, 0.5F));
  mesh.color = Eigen::Vector4f(0.1F, 0.2F, 0.3F, 1);
  mesh.materials = {"steel"};
  mesh.skin_joints = {1, 0};
  mesh.weights.first = {0, 2, 3, 3};
  mesh.weights.joint = {0, 1, 1};
  mesh.weights.weight = {0.75F, 0.25F, 1};
  imported.scene.meshes = {mesh};
  imported.scene.units.meters = 0.01;
  imported.scene.units.known = false;
  imported.findings = {{Severity::warning, "code", "message", "pointer"}};
  return imported;
}

std::string decode_error(const ImportedScene& imported) {
  const auto bytes = encode_scene(imported);
  return error_of(ErrorKind::input, [&] { decode_scene(bytes); });
}

}  // namespace

TEST_CASE("a scene comes through the stream unchanged", "[stream]") {
  const ImportedScene imported = sample();
  const auto bytes = encode_scene(imported);
  const ImportedScene read = decode_scene(bytes);
  CHECK((encode_scene(read) == bytes));
  REQUIRE(read.scene.meshes.size() == 1);
  const SceneMesh &a = imported.scene.meshes[0], &b = read.scene.meshes[0];
  CHECK(a.name == b.name);
  CHECK((a.positions == b.positions && a.triangles == b.triangles && a.normals == b.normals));
  CHECK((a.texture_coordinates == b.texture_coordinates && a.color == b.color));
  CHECK(a.materials == b.materials);
  CHECK((a.skin_joints == b.skin_joints && a.weights.first == b.weights.first));
  CHECK((a.weights.joint == b.weights.joint && a.weights.weight == b.weights.weight));
  REQUIRE(read.scene.joints.size() == 2);
  CHECK(read.scene.joints[0].bind.isApprox(imported.scene.joints[0].bind));
  CHECK(read.scene.joints[1].parent == 0);
  CHECK_FALSE(read.scene.joints[1].deforms);
  CHECK(read.scene.units.meters == 0.01);
  CHECK_FALSE(read.scene.units.known);
  REQUIRE(read.findings.size() == 1);
  CHECK(read.findings[0].severity == Severity::warning);
  CHECK(read.findings[0].pointer == "pointer");
}

TEST_CASE("every truncated or overlong stream is refused", "[stream]") {
  auto bytes = encode_scene(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::span<const std::uint8_t> part(bytes.data(), size);
    CHECK_THROWS_AS(decode_scene(part), Error);
  }
  bytes.push_back(0);
  CHECK_THROWS_AS(decode_scene(bytes), Error);
}

TEST_CASE("no stream of damaged bytes gives a scene with indices out of range", "[stream]") {
  const auto bytes = encode_scene(sample());
  std::mt19937 random(1);
  std::size_t accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    auto damaged = bytes;
    for (int k = 0; k < 1 + round % 4; ++k)
      damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
    try {
      const Scene scene = decode_scene(damaged).scene;
      ++accepted;
      for (const SceneMesh& mesh : scene.meshes) {
        for (const Triangle& triangle : mesh.triangles)
          for (const std::uint32_t corner : triangle) REQUIRE(corner < mesh.positions.size());
        for (const std::uint32_t j : mesh.weights.joint) REQUIRE(j < scene.joints.size());
      }
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::input);
    }
  }
  CHECK(accepted > 0);
}

TEST_CASE("a stream's scene is checked thing by thing", "[stream]") {
  ImportedScene imported = sample();
  SceneMesh& mesh = imported.scene.meshes[0];
  SECTION("triangle") {
    mesh.triangles[0][2] = 3;
    CHECK(decode_error(imported) == "mesh 'mesh' has a face with a vertex that does not exist");
  }
  SECTION("position") {
    mesh.positions[1].y() = std::numeric_limits<double>::quiet_NaN();
    CHECK(decode_error(imported) == "mesh 'mesh': vertex 1 is not finite");
  }
  SECTION("parent") {
    imported.scene.joints[1].parent = 1;
    CHECK(decode_error(imported) == "joint 'tip' has no such parent");
  }
  SECTION("bind") {
    imported.scene.joints[0].bind.translation().x() = HUGE_VAL;
    CHECK(decode_error(imported) == "joint 'root' has a transform that is not finite");
  }
  SECTION("skin") {
    mesh.skin_joints[0] = 2;
    CHECK(decode_error(imported) == "mesh 'mesh' has a damaged skin");
  }
  SECTION("rows") {
    mesh.weights.first[1] = 4;
    CHECK(decode_error(imported) == "mesh 'mesh' has damaged weights");
  }
  SECTION("influence") {
    mesh.weights.joint[0] = 2;
    CHECK(decode_error(imported) == "mesh 'mesh' has a weight for a joint that does not exist");
  }
  SECTION("weight") {
    mesh.weights.weight[0] = -1;
    CHECK(decode_error(imported) == "mesh 'mesh' has a weight that is not above zero");
  }
  SECTION("attached") {
    mesh.attached_to = 7;
    CHECK(decode_error(imported) == "mesh 'mesh' hangs from no joint");
  }
  SECTION("normals") {
    mesh.normals.pop_back();
    CHECK(decode_error(imported) == "mesh 'mesh' lacks normals");
  }
  SECTION("units") {
    imported.scene.units.meters = 0;
    CHECK(decode_error(imported) == "the file has damaged units");
  }
}
