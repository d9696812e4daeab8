#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::vector<std::string> joint_names(const Sample& s, const Selection& selection = {}) {
  std::vector<std::string> names;
  for (const SceneJoint& joint : scene_of_sample(s, selection).joints) names.push_back(joint.name);
  return names;
}

using Names = std::vector<std::string>;

// scene root -> [body (mesh), Armature -> Hips -> [Spine -> Head, Leg], Sun (empty)]
Sample rigged() {
  Sample s;
  s.mesh(square_primitive(s));
  s.node({{"name", "Root"}, {"children", {1, 2, 7}}});
  s.node({{"name", "body"}, {"mesh", 0}});
  s.node({{"name", "Armature"}, {"children", {3}}});
  s.node({{"name", "Hips"}, {"children", {4, 6}}, {"translation", {0, 1, 0}}});
  s.node({{"name", "Spine"}, {"children", {5}}, {"translation", {0, 1, 0}}});
  s.node({{"name", "Head"}, {"translation", {0, 1, 0}}});
  s.node({{"name", "Leg"}, {"translation", {0, -1, 0}}});
  s.node({{"name", "Sun"}});
  return s;
}

}  // namespace

TEST_CASE("the skeleton is found without skins, wrappers and empties left out") {
  CHECK(joint_names(rigged()) == Names{"Hips", "Spine", "Head", "Leg"});
  const Scene scene = scene_of_sample(rigged());
  CHECK(scene.joints.at(1).bind.translation() == Eigen::Vector3d(0, 2, 0));
}

TEST_CASE("a mesh that hangs from a joint is no joint") {
  Sample s = rigged();
  s.node({{"name", "hat"}, {"mesh", 0}});
  s.json["nodes"][5]["children"] = {8};
  const Scene scene = scene_of_sample(s);
  CHECK(scene.joints.size() == 4);
  CHECK(scene.meshes.at(1).attached_to == 2);
}

TEST_CASE("cameras, lights and lone empties are no skeleton") {
  Sample s;
  s.mesh(square_primitive(s));
  s.json["cameras"].push_back(
      {{"type", "perspective"}, {"perspective", {{"yfov", 1}, {"znear", 1}}}});
  s.node({{"name", "body"}, {"mesh", 0}});
  s.node({{"name", "Camera"}, {"children", {2}}});
  s.node({{"name", "Camera_Orientation"}, {"camera", 0}});
  s.node({{"name", "Light"}, {"children", {4}}});
  s.node(
      {{"name", "Light_Orientation"}, {"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}});
  s.node({{"name", "Empty"}});
  CHECK(joint_names(s).empty());
}

TEST_CASE("a chain without branches keeps its first joint") {
  Sample s;
  s.mesh(square_primitive(s));
  s.node({{"name", "Armature"}, {"children", {1}}});
  s.node({{"name", "a"}, {"children", {2}}});
  s.node({{"name", "b"}, {"children", {3}}, {"translation", {0, 1, 0}}});
  s.node({{"name", "c"}, {"translation", {0, 1, 0}}});
  s.node({{"name", "body"}, {"mesh", 0}});
  CHECK(joint_names(s) == Names{"a", "b", "c"});
}

TEST_CASE("an animated skeleton has priority over a larger one") {
  Sample s = rigged();
  s.node({{"name", "tail0"}, {"children", {9}}});
  s.node({{"name", "tail1"}, {"translation", {0, 0, 1}}});
  CHECK(joint_names(s).size() == 4);
  s.json["animations"].push_back(
      {{"channels", {{{"sampler", 0}, {"target", {{"node", 9}, {"path", "rotation"}}}}}}});
  CHECK(joint_names(s) == Names{"tail0", "tail1"});
}

TEST_CASE("skeletons beside each other are found, all that are near the largest in size") {
  Sample s = rigged();
  s.node({{"name", "Hips2"}, {"children", {9, 10}}, {"translation", {3, 1, 0}}});
  s.node({{"name", "Spine2"}, {"translation", {0, 1, 0}}});
  s.node({{"name", "Leg2"}, {"translation", {0, -1, 0}}});
  CHECK(joint_names(s) == Names{"Hips", "Spine", "Head", "Leg", "Hips2", "Spine2", "Leg2"});
}

TEST_CASE("roots and joints decide where nothing is found") {
  Selection selection;
  selection.roots = {"Spine"};
  CHECK(joint_names(rigged(), selection) == Names{"Spine", "Head"});
  selection.roots = {"Armature"};
  CHECK(joint_names(rigged(), selection).size() == 5);

  Sample s;
  s.mesh(square_primitive(s));
  s.node({{"name", "part_a"}, {"mesh", 0}, {"children", {1}}});
  s.node({{"name", "part_b"}, {"mesh", 0}});
  CHECK(joint_names(s).empty());
  selection.roots.clear();
  selection.joints = {"part_*"};
  CHECK(joint_names(s, selection) == Names{"part_a", "part_b"});
}

TEST_CASE("a skin that no node uses names the joints, in the node pose") {
  Sample s = skinned_square();
  s.json["nodes"][0].erase("skin");
  s.json["nodes"][2]["translation"] = {0, 4, 0};
  const Scene scene = scene_of_sample(s);
  REQUIRE(scene.joints.size() == 2);
  CHECK(scene.joints[1].bind.translation() == Eigen::Vector3d(0, 4, 0));
  CHECK_FALSE(scene.has_skin());
}

TEST_CASE("joints come with parents first, else as the skins list them") {
  Sample s = skinned_square();
  s.json["skins"][0]["joints"] = {2, 1};
  const Scene scene = scene_of_sample(s);
  CHECK(scene.joints.at(0).name == "hip");
  CHECK(scene.meshes.at(0).skin_joints == std::vector<int>{1, 0});
  CHECK(scene.meshes.at(0).weights.joint.at(0) == 1);
}
