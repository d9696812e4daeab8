#include <catch2/catch.hpp>
#include <cmath>

#include "formats/gltf/sample.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

double signed_area_z(const SceneMesh& mesh) {
  double area = 0;
  for (const Triangle& t : mesh.triangles)
    area += (mesh.positions[t[1]] - mesh.positions[t[0]])
                .cross(mesh.positions[t[2]] - mesh.positions[t[0]])
                .z();
  return area;
}

// A second skinned mesh (node 3) with the joints 2 and 4, in a mesh space translated by (10, 0, 0).
Sample two_skins(bool share_joint) {
  Sample s = skinned_square();
  Json primitive = square_primitive(s);
  primitive["attributes"]["JOINTS_0"] =
      s.accessor(std::vector<std::uint8_t>(16, 0), "VEC4", 5121, 4);
  primitive["attributes"]["WEIGHTS_0"] = s.accessor(
      std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5126, 4);
  s.mesh(primitive);
  s.node({{"name", "shirt"}, {"mesh", 1}, {"skin", 1}});
  s.node({{"name", "head"}, {"translation", {0, 1, 0}}});
  s.json["nodes"][2]["children"] = {4};
  std::vector<float> matrices = translation(-10, -1, 0);
  const std::vector<float> second = translation(-10, -2, 0);
  if (!share_joint)
    matrices = second;
  else
    matrices.insert(matrices.end(), second.begin(), second.end());
  const std::size_t m = s.accessor(matrices, "MAT4", 5126, 16);
  Json joints = share_joint ? Json{2, 4} : Json{4};
  s.json["skins"].push_back({{"inverseBindMatrices", m}, {"joints", joints}});
  return s;
}

}  // namespace

TEST_CASE("a skinned mesh is read in its bind pose") {
  const Scene scene = scene_of_sample(skinned_square());
  REQUIRE(scene.joints.size() == 2);
  CHECK(scene.joints[0].name == "hip");
  CHECK(scene.joints[0].parent == -1);
  CHECK(scene.joints[1].parent == 0);
  CHECK(scene.joints[1].node == 2);
  CHECK(scene.joints[1].bind.translation() == Eigen::Vector3d(0, 1, 0));
  REQUIRE(scene.meshes.size() == 1);
  const SceneMesh& mesh = scene.meshes[0];
  CHECK(mesh.name == "body");
  CHECK(mesh.node == 0);
  CHECK(mesh.skin_joints == std::vector<int>{0, 1});
  CHECK(mesh.weights.first == std::vector<std::uint32_t>{0, 1, 2, 4, 5});
  CHECK(mesh.weights.joint == std::vector<std::uint32_t>{0, 1, 1, 0, 1});
  CHECK(mesh.weights.weight == std::vector<float>{1, 1, 0.75f, 0.25f, 1});
}

TEST_CASE("a frame of an animation in the nodes does not reach the skinned mesh") {
  Sample s = skinned_square();
  s.json["nodes"][1]["rotation"] = {0, 0, 1, 0};
  s.json["nodes"][2]["translation"] = {5, 6, 7};
  s.json["nodes"][0]["translation"] = {100, 0, 0};  // ignored for a skinned mesh
  const Scene scene = scene_of_sample(s), rest = scene_of_sample(skinned_square());
  CHECK(scene.meshes.at(0).positions == rest.meshes.at(0).positions);
  for (std::size_t j = 0; j < 2; ++j)
    CHECK(scene.joints.at(j).bind.isApprox(rest.joints.at(j).bind));
}

TEST_CASE("the way up of a skin's mesh space is that of its root, along the nearest axis") {
  CHECK(scene_of_sample(skinned_square()).units.up == Eigen::Vector3d::UnitY());
  for (const double lean : {0.0, 20.0, -20.0}) {
    // Z is up in mesh space, and the pose of the nodes is tilted.
    const double half = (-90.0 + lean) / 2.0 * M_PI / 180.0;
    Sample s = skinned_square();
    s.json["nodes"][1]["rotation"] = {std::sin(half), 0, 0, std::cos(half)};
    s.json["nodes"][2]["translation"] = {5, 6, 7};
    const Units units = scene_of_sample(s).units;
    CHECK(units.up == Eigen::Vector3d::UnitZ());
    CHECK(units.front == Eigen::Vector3d(-Eigen::Vector3d::UnitY()));
  }
}

TEST_CASE("the unit of a skin's mesh space is that of its root") {
  for (const bool posed : {true, false}) {
    Sample s = skinned_square();
    s.node({{"name", "armature"}, {"children", {1}}, {"scale", {0.01, 0.01, 0.01}}});
    if (posed) s.json["nodes"][2]["translation"] = {5, 6, 7};
    const Scene scene = scene_of_sample(s);
    CHECK(scene.units.meters == Approx(posed ? 0.01 : 1.0));
    CHECK(scene.joints.at(1).bind.translation().y() == Approx(posed ? 1.0 : 0.01));
  }
}

TEST_CASE("bind space is the world where the joints agree on it") {
  Sample s = skinned_square();
  s.node({{"name", "wrapper"}, {"children", {1}}, {"scale", {2, 2, 2}}});
  const Scene scene = scene_of_sample(s);
  CHECK(scene.meshes.at(0).positions.at(2).isApprox(Eigen::Vector3d(2, 2, 0)));
  CHECK(scene.joints.at(1).bind.translation().isApprox(Eigen::Vector3d(0, 2, 0)));
}

TEST_CASE("skins with mesh spaces of their own agree in bind space") {
  for (const bool share : {true, false}) {
    INFO(share);
    for (const bool animated : {false, true}) {
      Sample s = two_skins(share);
      // The pose rotates only the head, so the other joints keep their relative positions.
      if (animated) s.json["nodes"][4]["rotation"] = {0, 1, 0, 0};
      const Scene scene = scene_of_sample(s);
      REQUIRE(scene.meshes.size() == 2);
      REQUIRE(scene.joints.size() == 3);
      CHECK(scene.joints[2].parent == 1);
      CHECK(scene.meshes[0].positions[0].isApprox(Eigen::Vector3d(-1, -1, 0)));
      if (!animated || share) {
        CHECK(scene.joints[2].bind.translation().isApprox(Eigen::Vector3d(0, 2, 0)));
        CHECK(scene.meshes[1].positions[0].isApprox(Eigen::Vector3d(-11, -1, 0)));
      }
    }
  }
}

TEST_CASE("without inverse bind matrices each is the identity") {
  Sample s = skinned_square();
  s.json["skins"][0].erase("inverseBindMatrices");
  const Scene scene = scene_of_sample(s);
  CHECK(scene.joints.at(0).bind.isApprox(scene.joints.at(1).bind));
}

TEST_CASE("an inverse bind matrix that cannot be inverted is reported") {
  Sample s = skinned_square();
  std::fill(s.bin.end() - 64, s.bin.end(), std::uint8_t{0});
  Findings findings;
  const Scene scene = scene_of(*parsed(s), {}, findings);
  REQUIRE_FALSE(findings.empty());
  CHECK(findings[0].code == "bind-singular");
  CHECK(scene.joints.at(1).bind.translation().isApprox(Eigen::Vector3d(0, 1, 0)));
}

TEST_CASE("a mesh that hangs from a joint follows it to the bind pose") {
  Sample s = skinned_square();
  s.mesh(square_primitive(s));
  s.node({{"name", "sword"}, {"mesh", 1}, {"translation", {0, 0, 3}}});
  s.json["nodes"][2]["children"] = {3};
  s.json["nodes"][2]["translation"] = {0, 50, 0};  // a pose that differs from the bind pose
  const Scene scene = scene_of_sample(s);
  REQUIRE(scene.meshes.size() == 2);
  CHECK(scene.meshes[1].attached_to == 1);
  CHECK(scene.meshes[1].skin_joints.empty());
  CHECK(scene.meshes[1].weights.empty());
  CHECK(scene.meshes[1].positions[0].isApprox(Eigen::Vector3d(-1, 0, 3)));
}

TEST_CASE("a mesh that its node draws in several places is marked") {
  Sample s = skinned_square();
  CHECK_FALSE(scene_of_sample(s).meshes.at(0).instanced);
  s.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"] = Json::object();
  CHECK(scene_of_sample(s).meshes.at(0).instanced);
}

TEST_CASE("mirrored nodes are turned right side out") {
  for (const double x : {1.0, -1.0}) {
    Sample s;
    s.mesh(square_primitive(s));
    s.node({{"mesh", 0}, {"scale", {x, 1.0, 1.0}}});
    CHECK(signed_area_z(scene_of_sample(s).meshes.at(0)) == Approx(8));
  }
}

TEST_CASE("strips and fans become the same triangles, points and lines none") {
  const auto area = [](int mode, const std::vector<std::uint16_t>& order) {
    Sample s;
    Json primitive = square_primitive(s);
    primitive["mode"] = mode;
    primitive["indices"] = s.accessor(order, "SCALAR", 5123, 1);
    s.mesh(primitive);
    s.node({{"mesh", 0}});
    const Scene scene = scene_of_sample(s);
    CHECK(scene.meshes.at(0).positions.size() == 4);
    return signed_area_z(scene.meshes.at(0));
  };
  CHECK(area(4, {0, 1, 2, 0, 2, 3}) == Approx(8));
  CHECK(area(5, {0, 1, 3, 2}) == Approx(8));
  CHECK(area(5, {0, 1, 3, 3, 3, 2}) == Approx(4));
  CHECK(area(6, {0, 1, 2, 3}) == Approx(8));
  CHECK(area(0, {0, 1, 2, 3}) == Approx(0));
  CHECK(area(1, {0, 1, 2, 3}) == Approx(0));
}

TEST_CASE("primitives that share positions share vertices, others follow in order") {
  Sample s;
  const std::size_t p = s.positions(square()), q = s.positions({5, 5, 5, 6, 5, 5, 5, 6, 5});
  s.json["meshes"].push_back({{"primitives",
                               {{{"attributes", {{"POSITION", p}}}},
                                {{"attributes", {{"POSITION", q}}}},
                                {{"attributes", {{"POSITION", p}}}, {"mode", 6}}}}});
  s.node({{"mesh", 0}});
  const Scene scene = scene_of_sample(s);
  REQUIRE(scene.meshes.at(0).positions.size() == 7);
  CHECK(scene.meshes[0].positions[4] == Eigen::Vector3d(5, 5, 5));
  CHECK(scene.meshes[0].triangles ==
        std::vector<Triangle>{{0, 1, 2}, {4, 5, 6}, {0, 1, 2}, {0, 2, 3}});
}

TEST_CASE("each node that shows a mesh is a mesh of the scene, also outside of scenes") {
  Sample s;
  s.mesh(square_primitive(s));
  s.node({{"name", "one"}, {"mesh", 0}});
  s.node({{"name", "two"}, {"mesh", 0}, {"translation", {3, 0, 0}}});
  s.json["scenes"].push_back({{"nodes", {0}}});
  Findings findings;
  const Scene scene = scene_of(*parsed(s), {}, findings);
  REQUIRE(scene.meshes.size() == 2);
  CHECK(scene.meshes[1].positions[0] == Eigen::Vector3d(2, -1, 0));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "outside-scenes");
}

TEST_CASE("a node that takes its vertices past the largest number is an error that names both") {
  Sample s;
  Json primitive = square_primitive(s);
  primitive["attributes"]["POSITION"] = s.positions({0, 0, 0, 1, 0, 0, 0, 1e30f, 0, 1, 1, 0});
  s.mesh(primitive);
  s.node({{"mesh", 0}, {"scale", {1e300, 1e300, 1e300}}});
  CHECK(error_of(ErrorKind::input, [&] { scene_of_sample(s); }) ==
        "sample.glb: nodes[0]: takes vertex 2 to no finite place");
}

TEST_CASE("a small file does not ask for memory without end") {
  Sample s;
  s.mesh({{"attributes",
           {{"POSITION",
             s.accessor(Json{{"componentType", 5126}, {"count", 1 << 20}, {"type", "VEC3"}})}}}});
  for (int i = 0; i < 40; ++i) s.node({{"mesh", 0}});
  CHECK(error_of(ErrorKind::resource, [&] {
          scene_of_sample(s);
        }).starts_with("sample.glb: its meshes have "));
  s.json["nodes"] = Json::array({{{"mesh", 0}}});
  s.json["accessors"][0]["count"] = (1 << 20) + 1;
  CHECK(error_of(ErrorKind::input, [&] { scene_of_sample(s); }).starts_with("sample.glb: "));
}

TEST_CASE("triangles know the materials of their primitives") {
  Sample s = skinned_square();
  s.json["materials"] = Json::array({{{"name", "skin"}}, {{"name", "steel"}}, Json::object()});
  Json& primitives = s.json["meshes"][0]["primitives"];
  SECTION("one for all") {
    primitives[0]["material"] = 1;
    const Scene scene = scene_of_sample(s);
    CHECK(scene.meshes[0].materials == std::vector<std::string>{"steel"});
    CHECK(scene.meshes[0].triangle_materials.empty());
  }
  SECTION("several, of which one has no name and one is missing") {
    const std::size_t triangles = scene_of_sample(s).meshes[0].triangles.size();
    for (int copy = 0; copy < 3; ++copy) primitives.push_back(primitives[0]);
    primitives[0]["material"] = 2;
    primitives[1]["material"] = 0;
    primitives[2]["material"] = 77;
    primitives[3]["material"] = 2;
    const Scene scene = scene_of_sample(s);
    CHECK(scene.meshes[0].materials == std::vector<std::string>{"material 2", "skin"});
    std::vector<int> wanted;
    for (const int material : {0, 1, -1, 0}) wanted.insert(wanted.end(), triangles, material);
    CHECK(scene.meshes[0].triangle_materials == wanted);
  }
}
