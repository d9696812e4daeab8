#include "character/match_skin.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "character/match_joints.h"
#include "character/skeleton_units.h"
#include "preview/tube.h"

namespace gvbind {
namespace {

using test::tube;

std::vector<SceneJoint> named(const std::vector<std::string>& names) {
  std::vector<SceneJoint> joints(names.size());
  for (std::size_t j = 0; j < names.size(); ++j) {
    joints[j].name = names[j];
    joints[j].parent = static_cast<int>(j) - 1;
  }
  return joints;
}

Scene named_tube() {
  Scene scene = tube();
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    scene.joints[j].name = "joint" + std::to_string(j);
  return scene;
}

/// The mesh with its vertices in another order.
Scene shuffled(const Scene& scene) {
  Scene result = scene;
  SceneMesh& mesh = result.meshes[0];
  std::vector<std::size_t> order(mesh.positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  mesh.weights = {};
  for (std::size_t v = 0; v < order.size(); ++v) {
    mesh.positions[v] = scene.meshes[0].positions[order[v]];
    mesh.weights.append_row(scene.meshes[0].weights, order[v]);
  }
  return result;
}

bool same_weights(const Scene& a, const Scene& b) {
  return a.meshes[0].weights.first == b.meshes[0].weights.first &&
         a.meshes[0].weights.joint == b.meshes[0].weights.joint &&
         a.meshes[0].weights.weight == b.meshes[0].weights.weight;
}

}  // namespace

TEST_CASE("joints go together by name, those of one name in their order") {
  const auto from = named({"hip", "arm", "arm", "tail"}), to = named({"arm", "hip", "head", "arm"});
  CHECK(match_joints(from, to) == std::vector<int>{1, 0, 3, -1});
  CHECK(match_joints({}, to).empty());
  CHECK(match_joints(from, {}) == std::vector<int>(4, -1));
}

TEST_CASE("a namespace and capitals do not keep joints apart, but a full name goes first") {
  const auto from = named({"mixamorig:Hips", "Spine", "rig:Head"});
  const auto to = named({"hips", "a:spine", "head", "rig:Head"});
  CHECK(match_joints(from, to) == std::vector<int>{0, 1, 3});
}

TEST_CASE("equal meshes are matched by order") {
  const Scene scene = named_tube();
  const SkinMatch match = match_skin(scene, scene);
  CHECK(match.by_order == scene.meshes[0].positions.size());
  CHECK(match.by_position + match.unmatched == 0);
  CHECK(match.common_joints == 3);
  CHECK(match.added_joints.empty());
  CHECK(same_weights(match.theirs, scene));
}

TEST_CASE("a mesh that moved since is still matched by order") {
  const Scene scene = named_tube();
  Scene moved = scene;
  for (Eigen::Vector3d& p : moved.meshes[0].positions) p += Eigen::Vector3d(40, 0, 0);
  CHECK(match_skin(scene, moved).by_order == scene.meshes[0].positions.size());
}

TEST_CASE("vertices in another order, of fewer or more, are matched by position") {
  const Scene scene = named_tube();
  const std::size_t count = scene.meshes[0].positions.size();
  Scene other = shuffled(scene);
  const SkinMatch match = match_skin(scene, other);
  CHECK(match.by_position == count);
  CHECK(same_weights(match.theirs, scene));

  other.meshes[0].positions.emplace_back(0.0, 0.5, 0.0);
  other.meshes[0].weights.first.push_back(other.meshes[0].weights.first.back());
  CHECK(same_weights(match_skin(scene, other).theirs, scene));
}

TEST_CASE("a vertex that the other has not gets an empty row and is counted") {
  const Scene scene = named_tube();
  Scene larger = scene;
  larger.meshes[0].positions.emplace_back(5.0, 0.5, 0.0);
  larger.meshes[0].weights.append_row(scene.meshes[0].weights, 0);
  const SkinMatch match = match_skin(larger, scene);
  CHECK(match.unmatched == 1);
  CHECK(match.theirs.meshes[0].weights.row(scene.meshes[0].positions.size()).empty());
}

TEST_CASE("the other's unit and axes are brought to ours") {
  const Scene scene = named_tube();
  Scene other = shuffled(scene);
  other.units = {0.01, Eigen::Vector3d::UnitZ(), -Eigen::Vector3d::UnitY(), true};
  const Eigen::Affine3d change = change_of_units(scene.units, other.units);
  for (Eigen::Vector3d& p : other.meshes[0].positions) p = change * p;
  for (SceneJoint& joint : other.joints) joint.bind = change * joint.bind;
  other.joints[2].name = "another";
  CHECK((change * Eigen::Vector3d(0, 1, 0) - Eigen::Vector3d(0, 0, 100)).norm() < 1e-9);
  const SkinMatch match = match_skin(scene, other);
  CHECK(match.by_position == scene.meshes[0].positions.size());
  REQUIRE(match.added_joints == std::vector<std::string>{"another"});
  CHECK((match.ours.joints[3].bind.translation() - scene.joints[2].bind.translation()).norm() <
        1e-9);
}

TEST_CASE("joints that only the other has stand at the end of both, below the same parents") {
  const Scene scene = named_tube();
  Scene other = scene;
  other.joints[1].name = "new";
  other.joints[2].name = "newer";
  const SkinMatch match = match_skin(scene, other);
  REQUIRE(match.ours.joints.size() == 5);
  CHECK(match.theirs.joints.size() == 5);
  CHECK(match.common_joints == 1);
  CHECK(match.ours.joints[3].parent == 0);
  CHECK(match.ours.joints[4].parent == 3);
  for (std::size_t v = 0; v < scene.meshes[0].positions.size(); ++v)
    if (scene.meshes[0].weights.row(v)[0].joint == 1)
      REQUIRE(match.theirs.meshes[0].weights.row(v)[0].joint == 3);
}

TEST_CASE("scenes without vertices, joints or finite positions are matched as far as they go") {
  const Scene scene = named_tube();
  CHECK(match_skin({}, scene).by_order == 0);
  const SkinMatch bare = match_skin(scene, {});
  CHECK(bare.unmatched == scene.meshes[0].positions.size());
  Scene bad = shuffled(scene);
  bad.meshes[0].positions[7].x() = std::nan("");
  CHECK(match_skin(scene, bad).unmatched == 1);
  CHECK(match_skin(bad, scene).unmatched == 1);
}

TEST_CASE("triangles decide between vertices that share a position") {
  // Two triangles meet at an edge, without common vertices.
  Scene other;
  other.joints = named({"a", "b"});
  SceneMesh& mesh = other.meshes.emplace_back();
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1e-9, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  for (const std::uint32_t joint : {0, 0, 0, 1, 1, 1}) {
    mesh.weights.joint.push_back(joint);
    mesh.weights.weight.push_back(1.0F);
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  // Our copy has the triangles in the other order, one more vertex, and rounded positions.
  Scene ours = other;
  SceneMesh& split = ours.meshes[0];
  split.positions = {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
  split.triangles = {{1, 2, 0}, {3, 4, 5}};
  split.weights = {};
  for (std::uint32_t v = 0; v < 7; ++v) {
    split.weights.joint.push_back(0);
    split.weights.weight.push_back(1.0F);
    split.weights.first.push_back(v + 1);
  }
  const SkinMatch match = match_skin(ours, other);
  CHECK(match.by_position == 7);
  CHECK(match.theirs.meshes[0].weights.joint == std::vector<std::uint32_t>{1, 1, 1, 0, 0, 0, 0});
  CHECK(match_vertices(ours, other).vertex ==
        std::vector<std::vector<std::uint32_t>>{{3, 4, 5, 0, 1, 2, 2}});
}

TEST_CASE("a scale and turn that units do not tell is found by joints") {
  const Scene ours = named_tube();
  Scene other = shuffled(ours);
  Eigen::Affine3d change = Eigen::Affine3d::Identity();
  change.linear() = 7.0 * Eigen::AngleAxisd(0.5, Eigen::Vector3d(1, 2, 3).normalized()).matrix();
  change.translation() = Eigen::Vector3d(3, -1, 2);
  for (Eigen::Vector3d& p : other.meshes[0].positions) p = change * p;
  for (SceneJoint& joint : other.joints) joint.bind = change * joint.bind;
  const SkinMatch match = match_skin(ours, other);
  CHECK(match.unmatched == 0);
  CHECK(same_weights(match.ours, match.theirs));
  const VertexMatch vertices = match_vertices(ours, other);
  CHECK(vertices.to_ours.isApprox(change.inverse(), 1e-9));
}

}  // namespace gvbind
