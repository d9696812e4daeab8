#include "formats/gltf/missing_inverse_binds.h"

#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"
#include "formats/gltf/unchanged.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// A square whose skin was bound 5 to the left of its nodes: hip (0, 1, 0), chest (0, 3, 0) with an
/// arm (2, 3, 0), and end joints 1 further along x than chest and arm. Nodes 1 to 5.
Sample arm(const std::vector<std::vector<float>>& matrices) {
  Sample s;
  Json primitive = square_primitive(s);
  primitive["attributes"]["JOINTS_0"] =
      s.accessor(std::vector<std::uint8_t>(16, 0), "VEC4", 5121, 4);
  primitive["attributes"]["WEIGHTS_0"] = s.accessor(
      std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5126, 4);
  std::vector<float> all;
  for (const std::vector<float>& matrix : matrices)
    all.insert(all.end(), matrix.begin(), matrix.end());
  s.mesh(primitive);
  s.node({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
  s.node({{"name", "hip"}, {"translation", {0, 1, 0}}, {"children", {2}}});
  s.node({{"name", "chest"}, {"translation", {0, 2, 0}}, {"children", {3, 5}}});
  s.node({{"name", "arm"}, {"translation", {2, 0, 0}}, {"children", {4}}});
  s.node({{"name", "arm_end"}, {"translation", {1, 0, 0}}});
  s.node({{"name", "chest_end"}, {"translation", {1, 0, 0}}});
  s.json["skins"].push_back(
      {{"inverseBindMatrices", s.accessor(all, "MAT4", 5126, 16)}, {"joints", {1, 2, 3, 4, 5}}});
  s.json["scenes"].push_back({{"nodes", {0, 1}}});
  return s;
}

/// Both end joints have an identity matrix, as some exporters write.
Sample with_unset_ends() {
  const std::vector<float> identity = translation(0, 0, 0);
  return arm(
      {translation(5, -1, 0), translation(5, -3, 0), translation(3, -3, 0), identity, identity});
}

std::vector<bool> unset_in(const Sample& s) {
  const auto document = parsed(s);
  const gltf::NodeTree tree = gltf::node_tree(document->json);
  return gltf::read_skins(*document, tree).at(0).unset;
}

}  // namespace

TEST_CASE("joints apart that share a matrix are unset, and follow the joint above them") {
  for (const bool posed : {false, true}) {
    Sample s = with_unset_ends();
    // In the pose of the nodes, the arm hangs down.
    if (posed) s.json["nodes"][3]["rotation"] = {0, 0, -std::sqrt(0.5), std::sqrt(0.5)};
    CHECK(unset_in(s) == std::vector<bool>{false, false, false, true, true});
    Findings findings;
    const Scene scene = scene_of(*parsed(s), {}, findings);
    const Eigen::Vector3d beside =
        scene.joints.at(3).bind.translation() - scene.joints.at(2).bind.translation();
    CHECK(beside.isApprox(Eigen::Vector3d(1, 0, 0)));
    CHECK(scene.joints[2].deforms);
    CHECK_FALSE(scene.joints[3].deforms);
    CHECK_FALSE(scene.joints.at(4).deforms);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].code == "bind-unset");
    CHECK(findings[0].severity == Severity::note);
  }
}

TEST_CASE("a matrix that others were left with stays where its joint has the right bones") {
  // The hip was bound at the origin, so its identity is right; those of the ends are not.
  const std::vector<float> identity = translation(0, 0, 0);
  const Sample s =
      arm({identity, translation(0, -2, 0), translation(-2, -2, 0), identity, identity});
  CHECK(unset_in(s) == std::vector<bool>{false, false, false, true, true});
}

TEST_CASE("a matrix that others were left with goes where the joints below would be turned") {
  // The hip looks along z in its own axes, as the root of a skeleton made for z up. The identity
  // says that it looked along y.
  const std::vector<float> identity = translation(0, 0, 0);
  Sample s = arm({identity, translation(0, -2, 0), translation(-2, -2, 0), identity, identity});
  const double half = std::sqrt(0.5);
  s.json["nodes"][1]["rotation"] = {-half, 0, 0, half};
  s.json["nodes"][2]["translation"] = {0, 0, 2};
  s.json["nodes"][2]["rotation"] = {half, 0, 0, half};
  CHECK(unset_in(s) == std::vector<bool>{true, false, false, true, true});
  Findings findings;
  const Scene scene = scene_of(*parsed(s), {}, findings);
  CHECK(scene.joints.at(0).bind.linear().col(2).isApprox(Eigen::Vector3d(0, 1, 0)));
}

TEST_CASE("joints that coincide may share a matrix") {
  Sample s = arm({translation(5, -1, 0), translation(5, -3, 0), translation(3, -3, 0),
                  translation(3, -3, 0), translation(4, -3, 0)});
  s.json["nodes"][4].erase("translation");
  CHECK(unset_in(s) == std::vector<bool>(5, false));
}

TEST_CASE("without a matrix that differs nothing says which ones are unset") {
  const Sample s = arm(std::vector<std::vector<float>>(5, translation(0, 0, 0)));
  CHECK(unset_in(s) == std::vector<bool>(5, false));
}

TEST_CASE("an unset joint that gets weight gets its matrix, others keep theirs bit by bit") {
  const Sample s = with_unset_ends();
  const Bytes input = s.glb();
  Findings findings;
  const auto document = parse_gltf(input, "in.glb");
  const Scene before = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes = {weights_from({{{3, 1.0f}}, {{0, 1.0f}}, {{1, 1.0f}}, {{2, 1.0f}}})};
  patch_skin(*document, before, weights);
  const Bytes output = encoded(*document);
  check_unchanged(chunks_of(input), chunks_of(output));
  const auto written = parse_gltf(output, "out.glb");
  const gltf::NodeTree tree = gltf::node_tree(written->json);
  const gltf::SkinData skin = gltf::read_skins(*written, tree).at(0);
  CHECK(skin.nodes == std::vector<std::size_t>{1, 2, 3, 4, 5});
  CHECK(skin.inverse_bind[3].translation().isApprox(Eigen::Vector3d(2, -3, 0)));
  CHECK(skin.inverse_bind[4].isApprox(Eigen::Affine3d::Identity()));
  // All joints with weight put the square at one place, as in the node pose.
  for (const std::size_t slot : {0, 1, 2, 3})
    CHECK((tree.world[skin.nodes[slot]] * skin.inverse_bind[slot])
              .translation()
              .isApprox(Eigen::Vector3d(5, 0, 0)));
}
