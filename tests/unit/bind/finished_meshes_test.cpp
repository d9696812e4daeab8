#include "bind/finished_meshes.h"

#include <catch2/catch.hpp>

using namespace gvbind;

namespace {

/// A strip of triangles; `joint` owns every vertex, or shares it with joint 0.
SceneMesh strip(const std::string& name, std::uint32_t joint, float share = 1.0f) {
  SceneMesh mesh;
  mesh.name = name;
  for (std::uint32_t v = 0; v < 32; ++v) {
    mesh.positions.emplace_back(v / 2, v % 2, 0.0);
    if (v >= 2) mesh.triangles.push_back({v - 2, v - 1, v});
    mesh.weights.joint.push_back(joint);
    mesh.weights.weight.push_back(share);
    if (share < 1.0f) {
      mesh.weights.joint.push_back(0);
      mesh.weights.weight.push_back(1.0f - share);
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  return mesh;
}

Scene scene_with(std::vector<SceneMesh> meshes) {
  Scene scene;
  for (const char* name : {"rig:Head", "Eye.L", "Eye.R"}) {
    SceneJoint joint;
    joint.name = name;
    joint.parent = scene.joints.empty() ? -1 : 0;
    scene.joints.push_back(joint);
  }
  scene.meshes = std::move(meshes);
  return scene;
}

/// Copies from `sibling` to meshes of which joint 0 owned all. Returns the scene's weights.
SceneWeights copied(const Scene& sibling, const Scene& scene, const BindOptions& options = {}) {
  std::vector<FinishedMesh> finished;
  add_finished("sibling", sibling, finished);
  SceneWeights weights;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m)
    weights.meshes.push_back(strip("", 0).weights);
  take_finished(finished, scene, options, weights);
  return weights;
}

std::uint32_t owner(const SceneWeights& weights, std::size_t mesh) {
  return weights.meshes[mesh].row(5)[0].joint;
}

}  // namespace

TEST_CASE("meshes of the same triangles get the rows of the one with their name") {
  const Scene sibling = scene_with({strip("eye_R", 2), strip("eye_L", 1)});
  const SceneWeights weights = copied(sibling, scene_with({strip("Eye L", 0), strip("Eye R", 0)}));
  CHECK(owner(weights, 0) == 1);
  CHECK(owner(weights, 1) == 2);
}

TEST_CASE("where names do not tell, only the one mesh of its triangles is copied") {
  CHECK(owner(copied(scene_with({strip("ball", 1)}), scene_with({strip("sphere", 0)})), 0) == 1);
  CHECK(owner(copied(scene_with({strip("a", 1), strip("b", 2)}), scene_with({strip("c", 0)})), 0) ==
        0);
  const SceneWeights two =
      copied(scene_with({strip("a", 1)}), scene_with({strip("b", 0), strip("c", 0)}));
  CHECK(owner(two, 0) == 0);
  CHECK(owner(two, 1) == 0);
}

TEST_CASE("nothing is copied where a joint has no namesake or two") {
  Scene scene = scene_with({strip("ball", 0)});
  scene.joints[1].name = "other";
  CHECK(owner(copied(scene_with({strip("ball", 1)}), scene), 0) == 0);
  scene.joints[1].name = "Eye.L";
  scene.joints[2].name = "eye_l";
  CHECK(owner(copied(scene_with({strip("ball", 1)}), scene), 0) == 0);
}

TEST_CASE("copied rows keep to influences, pruning, forbidden joints and regions") {
  const Scene sibling = scene_with({strip("ball", 1, 0.8f)});
  const Scene scene = scene_with({strip("ball", 0)});
  const auto row_with = [&](const BindOptions& options) {
    const SceneWeights made = copied(sibling, scene, options);
    std::vector<Influence> row;
    for (const Influence entry : made.meshes[0].row(5)) row.push_back(entry);
    return row;
  };
  CHECK(row_with({}).size() == 2);
  BindOptions one;
  one.max_influences = 1;
  CHECK(row_with(one).size() == 1);
  BindOptions pruned;
  pruned.prune = 0.3;
  CHECK(row_with(pruned).size() == 1);
  BindOptions forbidden;
  forbidden.rules.forbidden.push_back({{0}, {1}});
  REQUIRE(row_with(forbidden).size() == 1);
  CHECK(row_with(forbidden)[0].joint == 1);
  CHECK(row_with(forbidden)[0].weight == Approx(1.0f));
  BindOptions regions;
  regions.rules.regions.push_back({{0}, {}});
  REQUIRE(row_with(regions).size() == 1);
  CHECK(row_with(regions)[0].joint == 0);
}

TEST_CASE("of several finished characters, the twin most alike in shape gives its rows") {
  SceneMesh tall = strip("body", 1), wide = strip("body", 2);
  for (Eigen::Vector3d& p : tall.positions) p.y() *= 5.0;
  std::vector<FinishedMesh> finished;
  add_finished("tall", scene_with({tall}), finished);
  add_finished("wide", scene_with({wide}), finished);
  SceneMesh moved = strip("body", 0);
  for (Eigen::Vector3d& p : moved.positions) p = p * 0.01 + Eigen::Vector3d(7.0, 0.0, 0.0);
  const Scene scene = scene_with({moved});
  SceneWeights weights;
  weights.meshes.push_back(strip("", 0).weights);
  take_finished(finished, scene, {}, weights);
  CHECK(owner(weights, 0) == 2);
}

TEST_CASE("joints of a finished file that are one joint here give it both weights") {
  Scene sibling = scene_with({strip("ball", 1, 0.6f)});
  sibling.joints[0].name = "Eye_L";
  const SceneWeights made = copied(sibling, scene_with({strip("ball", 0)}));
  REQUIRE(made.meshes[0].row(5).size() == 1);
  CHECK(owner(made, 0) == 1);
  CHECK(made.meshes[0].row(5)[0].weight == 1.0f);
}
