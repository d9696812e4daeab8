#include "retarget/joint_map.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "bodies.h"
#include "gvbind/base/joint_keys.h"
#include "retarget/body_sizes.h"
#include "retarget/name_words.h"

using namespace gvbind;

namespace {

/// The clip's joint that each of the hero's follows.
std::map<std::string, std::string> followed(const NodeScene& clip, const NodeScene& hero) {
  const bodies::Both both(clip, hero);
  std::map<std::string, std::string> out;
  for (const retarget::JointPair& pair : both.between.map.pairs)
    out[hero.nodes[pair.hero].name] = clip.nodes[pair.clip].name;
  return out;
}

NodeScene renamed(const std::map<std::string, std::string>& names) {
  NodeScene scene = bodies::plain_body();
  for (Node& node : scene.nodes) node.name = names.at(node.name);
  return scene;
}

/// One set of names for the joints of bodies::t_pose(), left and right after each other.
std::map<std::string, std::string> names_of(const std::vector<std::string>& trunk,
                                            const std::vector<std::string>& left,
                                            const std::vector<std::string>& right) {
  const std::vector<std::string> limbs = {"Shoulder", "Arm", "ForeArm", "Hand",
                                          "UpLeg",    "Leg", "Foot",    "ToeBase"};
  const std::vector<std::string> middle = {"Hips", "Spine", "Spine1", "Neck", "Head"};
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < middle.size(); ++i) out[middle[i]] = trunk[i];
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    out["Left" + limbs[i]] = left[i];
    out["Right" + limbs[i]] = right[i];
  }
  return out;
}

}  // namespace

TEST_CASE("joints are matched in the words of many rigs", "[retarget]") {
  const NodeScene mixamo = bodies::plain_body();
  const auto check = [&](const std::map<std::string, std::string>& names) {
    const auto found = followed(mixamo, renamed(names));
    for (const auto& [own, other] : names) {
      INFO(own << " is called " << other);
      const auto at = found.find(other);
      REQUIRE(at != found.end());
      CHECK(at->second == own);
    }
  };
  check(names_of(
      {"pelvis", "spine_01", "spine_02", "neck_01", "head"},
      {"clavicle_l", "upperarm_l", "lowerarm_l", "hand_l", "thigh_l", "calf_l", "foot_l", "ball_l"},
      {"clavicle_r", "upperarm_r", "lowerarm_r", "hand_r", "thigh_r", "calf_r", "foot_r",
       "ball_r"}));
  check(names_of({"LowerTorso", "UpperTorso", "Chest", "Head", "HeadBase"},
                 {"LeftClavicle", "LeftUpperArm", "LeftLowerArm", "LeftHand", "LeftUpperLeg",
                  "LeftLowerLeg", "LeftFoot", "LeftToeBase"},
                 {"RightClavicle", "RightUpperArm", "RightLowerArm", "RightHand", "RightUpperLeg",
                  "RightLowerLeg", "RightFoot", "RightToeBase"}));
  check(names_of({"Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Neck", "Bip01 Head"},
                 {"Bip01 L Clavicle", "Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand",
                  "Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot", "Bip01 L Toe0"},
                 {"Bip01 R Clavicle", "Bip01 R UpperArm", "Bip01 R Forearm", "Bip01 R Hand",
                  "Bip01 R Thigh", "Bip01 R Calf", "Bip01 R Foot", "Bip01 R Toe0"}));
  check(names_of({"hips", "spine", "chest", "neck", "head"},
                 {"leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand", "leftUpperLeg",
                  "leftLowerLeg", "leftFoot", "leftToes"},
                 {"rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand", "rightUpperLeg",
                  "rightLowerLeg", "rightFoot", "rightToes"}));
  check(names_of({"Becken", "Wirbelsaeule1", "Wirbelsaeule2", "Hals", "Kopf"},
                 {"Schulter L", "Oberarm L", "Unterarm L", "Hand L", "Oberschenkel L",
                  "Unterschenkel L", "Fuss L", "Zehe L"},
                 {"Schulter R", "Oberarm R", "Unterarm R", "Hand R", "Oberschenkel R",
                  "Unterschenkel R", "Fuss R", "Zehe R"}));
  check(names_of({"下半身", "上半身", "上半身2", "首", "頭"},
                 {"左肩", "左腕", "左ひじ", "左手首", "左足", "左ひざ", "左足首", "左つま先"},
                 {"右肩", "右腕", "右ひじ", "右手首", "右足", "右ひざ", "右足首", "右つま先"}));
}

TEST_CASE("spines of other lengths turn in proportion", "[retarget]") {
  const NodeScene clip = bodies::plain_body();
  std::vector<bodies::Part> parts = bodies::t_pose();
  // One joint of the spine: it follows the last of two.
  NodeScene hero = clip;
  hero.nodes[1].name = "extra";
  hero.nodes[1].is_joint = false;
  const bodies::Both both(clip, hero);
  for (const retarget::JointPair& pair : both.between.map.pairs)
    if (pair.hero == 2) CHECK(pair.clip == 2);
}

TEST_CASE("joints without a partner are listed, and given pairs count first", "[retarget]") {
  NodeScene clip = bodies::plain_body(), hero = bodies::plain_body();
  Node tail;
  tail.name = "Tail";
  tail.parent = 0;
  tail.is_joint = true;
  clip.nodes.push_back(tail);
  tail.name = "Cape";
  hero.nodes.push_back(tail);
  const retarget::RestSkeleton a = retarget::node_pose_skeleton(clip),
                               b = retarget::node_pose_skeleton(hero);
  const retarget::BodyRoles of_a = retarget::body_roles(a), of_b = retarget::body_roles(b);
  const retarget::JointMap without = retarget::map_joints({a, of_a}, {b, of_b});
  CHECK(without.clip_unmatched == std::vector<std::string>{"Tail"});
  CHECK(without.hero_unmatched == std::vector<std::string>{"Cape"});
  const retarget::JointMap given = retarget::map_joints({a, of_a}, {b, of_b}, {{"Tail", "Cape"}});
  CHECK(given.clip_unmatched.empty());
  CHECK(given.hero_unmatched.empty());
}

TEST_CASE("names are compared without what programs add", "[retarget]") {
  CHECK(joint_key("mixamorig:LeftUpLeg") == joint_key("Armature|left_up_leg"));
  CHECK(retarget::english_name("Bip01 L Cuisse") == "Bip01 L thigh");
  CHECK(retarget::english_name("LeftForeArm") == "LeftForeArm");
}

TEST_CASE("front legs are arms and hind legs are legs, whatever they are called", "[retarget]") {
  const std::vector<bodies::Part> parts = {{"root", -1, {0, 0, 0}},
                                           {"Body", 0, {0, 1.0, 0}},
                                           {"Hips", 1, {0, 1.0, -0.5}},
                                           {"Torso", 2, {0, 1.0, 0.3}},
                                           {"Head", 3, {0, 1.2, 0.8}},
                                           {"FrontLeg.L", 1, {0.1, 0.9, 0.4}},
                                           {"FrontUpLeg.L", 5, {0.1, 0.8, 0.4}},
                                           {"FrontLowLeg.L", 6, {0.1, 0.4, 0.45}},
                                           {"FrontFoot.L", 0, {0.1, 0.05, 0.4}},
                                           {"HindLeg.L", 1, {0.1, 0.9, -0.5}},
                                           {"HindLowLeg.L", 9, {0.1, 0.4, -0.45}},
                                           {"HindFoot.L", 0, {0.1, 0.05, -0.5}},
                                           {"FrontLeg.R", 1, {-0.1, 0.9, 0.4}},
                                           {"FrontUpLeg.R", 12, {-0.1, 0.8, 0.4}},
                                           {"FrontLowLeg.R", 13, {-0.1, 0.4, 0.45}},
                                           {"FrontFoot.R", 0, {-0.1, 0.05, 0.4}},
                                           {"HindLeg.R", 1, {-0.1, 0.9, -0.5}},
                                           {"HindLowLeg.R", 16, {-0.1, 0.4, -0.45}},
                                           {"HindFoot.R", 0, {-0.1, 0.05, -0.5}}};
  const NodeScene scene =
      bodies::scene_of(parts, [](std::size_t) { return bodies::Quaterniond::Identity(); });
  const retarget::RestSkeleton rest = retarget::node_pose_skeleton(scene);
  const retarget::BodyRoles roles = retarget::body_roles(rest);
  const auto name = [&](const char* part) { return rest.names[roles.first(part)]; };
  CHECK(name("upper_arm.L") == "FrontUpLeg.L");
  CHECK(name("forearm.R") == "FrontLowLeg.R");
  CHECK(name("hand.L") == "FrontFoot.L");
  CHECK(name("thigh.R") == "HindLeg.R");
  CHECK(name("shin.L") == "HindLowLeg.L");
  CHECK(name("foot.R") == "HindFoot.R");
  CHECK(name("hips") == "Body");
  CHECK(roles.carriers[8] == 7);
  CHECK(retarget::has_level_trunk(rest, roles));
  const NodeScene man = bodies::plain_body();
  const retarget::RestSkeleton upright = retarget::node_pose_skeleton(man);
  CHECK_FALSE(retarget::has_level_trunk(upright, retarget::body_roles(upright)));
}

TEST_CASE("guides with the names of the skin's joints are passed over", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  const std::size_t count = scene.nodes.size();
  NodeScene guided;  // the guides come first, as a Maya rig may have them
  for (const int offset : {0, static_cast<int>(count)})
    for (const Node& node : scene.nodes) {
      guided.nodes.push_back(node);
      if (node.parent >= 0) guided.nodes.back().parent += offset;
    }
  const auto hips = [](const NodeScene& of) {
    return retarget::body_roles(retarget::node_pose_skeleton(of)).first("hips");
  };
  Skin skin;
  for (std::size_t i = 0; i < count; ++i) skin.joints.push_back(static_cast<int>(count + i));
  skin.inverse_binds.assign(count, Eigen::Affine3d::Identity());
  guided.skins.push_back(skin);
  CHECK(hips(guided) == static_cast<int>(count));
  // A skin of the head alone makes no body: then all joints count.
  guided.skins[0].joints = {static_cast<int>(count) + 4};
  guided.skins[0].inverse_binds.resize(1);
  CHECK(hips(guided) == 0);
}

TEST_CASE("a group between the hips and each leg hides neither hips nor sides", "[retarget]") {
  std::vector<bodies::Part> parts = bodies::t_pose();
  parts[0].name = "Root_M";
  const auto named = [&](const char* name) {
    const auto found = std::ranges::find_if(
        parts, [&](const bodies::Part& p) { return p.name == std::string(name); });
    REQUIRE(found != parts.end());
    return static_cast<int>(found - parts.begin());
  };
  NodeScene scene;
  for (const char* leg : {"LeftUpLeg", "RightUpLeg"}) {
    const int at = named(leg);
    parts.insert(parts.begin() + at, {"LeftUpLeg_Null", 0, {0, 0, 0}});
    for (std::size_t i = static_cast<std::size_t>(at) + 1; i < parts.size(); ++i)
      if (parts[i].parent >= at) ++parts[i].parent;
    parts[static_cast<std::size_t>(at) + 1].parent = at;
  }
  scene = bodies::scene_of(parts, [](std::size_t) { return Eigen::Quaterniond::Identity(); });
  for (Node& node : scene.nodes) node.is_joint = node.name != "LeftUpLeg_Null";
  const retarget::RestSkeleton rest = retarget::node_pose_skeleton(scene);
  const retarget::BodyRoles roles = retarget::body_roles(rest);
  CHECK(roles.first("hips") == 0);
  // It gets no keys, so it cannot follow a leg.
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (!rest.is_joint[i]) CHECK(roles.carriers[i] == 0);
}

TEST_CASE("a body without feet has a front", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  for (Node& node : scene.nodes)
    if (node.name.ends_with("Foot") || node.name.ends_with("ToeBase")) node.name = "end";
  const retarget::RestSkeleton rest = retarget::node_pose_skeleton(scene);
  const auto axes = retarget::body_axes({rest, retarget::body_roles(rest)});
  REQUIRE(axes);
  CHECK(*axes == Eigen::Matrix3d::Identity());
}

TEST_CASE("a neck above a spine of nodes that are no joints follows from the hips on",
          "[retarget]") {
  NodeScene scene = bodies::plain_body();
  for (Node& node : scene.nodes)
    if (node.name.starts_with("Spine")) node.is_joint = false;
  const retarget::RestSkeleton rest = retarget::node_pose_skeleton(scene);
  const retarget::MappedSkeleton own{rest, retarget::body_roles(rest)};
  CHECK_FALSE(own.roles.parts.contains("spine"));
  REQUIRE(own.roles.first("neck") >= 0);
  const retarget::JointMap map = retarget::map_joints(own, own);
  CHECK(std::ranges::any_of(map.pairs, [&](const retarget::JointPair& pair) {
    return pair.hero == own.roles.first("neck") && pair.clip == pair.hero;
  }));
}

TEST_CASE("namesakes follow each other in their order", "[retarget]") {
  const NodeScene scene =
      bodies::scene_of({{"Bone", -1, {0, 0, 0}}, {"tip", 0, {0, 1, 0}}, {"Bone", -1, {2, 0, 0}}},
                       [](std::size_t) { return Eigen::Quaterniond::Identity(); });
  const bodies::Both both(scene, scene);
  CHECK(both.between.map.pairs.size() == 3);
  for (const retarget::JointPair& pair : both.between.map.pairs) CHECK(pair.clip == pair.hero);
}
