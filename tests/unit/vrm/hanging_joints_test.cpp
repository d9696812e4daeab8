#include "vrm/hanging_joints.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "retarget/bodies.h"

using namespace gvbind;

namespace {

using bodies::Part;

int index_of(const std::vector<Part>& parts, const std::string& name) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].name == name) return static_cast<int>(i);
  FAIL("no joint " << name);
  return -1;
}

/// Adds joints below one of the body, each below the one before.
void hang(std::vector<Part>& parts, const std::string& from, const std::vector<const char*>& names,
          const Eigen::Vector3d& step) {
  int parent = index_of(parts, from);
  for (const char* name : names) {
    parts.push_back({name, parent, parts[parent].place + step});
    parent = static_cast<int>(parts.size()) - 1;
  }
}

struct Found {
  std::map<std::string, vrm::HangKind> kinds;             ///< by the first joint of the chain
  std::map<std::string, std::vector<std::string>> below;  ///< the joints after it
  std::map<std::string, std::string> reasons;
  std::map<std::string, bool> has_tip;
};

Found find(const std::vector<Part>& parts, const std::vector<std::string>& idle = {},
           const std::vector<std::string>& taken = {}) {
  const NodeScene scene =
      bodies::scene_of(parts, [](std::size_t) { return Eigen::Quaterniond::Identity(); });
  const retarget::RestSkeleton skeleton = retarget::node_pose_skeleton(scene);
  vrm::NodeUse use{std::vector<bool>(parts.size(), true), std::vector<bool>(parts.size(), false)};
  for (const std::string& name : idle) use.moves_vertices[index_of(parts, name)] = false;
  for (const std::string& name : taken) use.is_taken[index_of(parts, name)] = true;
  const vrm::HangingJoints hanging =
      vrm::hanging_joints(skeleton, retarget::body_roles(skeleton), use);
  Found found;
  for (const vrm::HangingChain& chain : hanging.chains) {
    const std::string first = parts[chain.nodes.front()].name;
    found.kinds[first] = chain.kind;
    found.has_tip[first] = chain.has_tip;
    for (std::size_t j = 1; j < chain.nodes.size(); ++j)
      found.below[first].push_back(parts[chain.nodes[j]].name);
  }
  for (const vrm::StillJoint& joint : hanging.still)
    found.reasons[parts[joint.node].name] = joint.reason;
  return found;
}

const Eigen::Vector3d down(0, -0.1, -0.02), back(0, 0.02, -0.1);

}  // namespace

TEST_CASE("names say which joints hang", "[vrm]") {
  std::vector<Part> parts = bodies::t_pose();
  hang(parts, "Head", {"Hair_Back_01", "bone_a", "bone_b"}, down);
  hang(parts, "Head", {"LEar"}, {0.05, 0.1, 0});
  hang(parts, "Hips", {"Skirt_F_01", "Skirt_F_02"}, down);
  hang(parts, "Hips", {"J_Sec_Tail1"}, back);
  hang(parts, "Head", {"髪_01", "髪_02"}, down);
  hang(parts, "Spine1", {"ponytailRibbon"}, back);
  const Found found = find(parts);
  CHECK(found.kinds ==
        std::map<std::string, vrm::HangKind>{{"Hair_Back_01", vrm::HangKind::hair},
                                             {"LEar", vrm::HangKind::ear},
                                             {"Skirt_F_01", vrm::HangKind::skirt},
                                             {"J_Sec_Tail1", vrm::HangKind::tail},
                                             {"髪_01", vrm::HangKind::hair},
                                             {"ponytailRibbon", vrm::HangKind::hair}});
  CHECK(found.below.at("Hair_Back_01") == std::vector<std::string>{"bone_a", "bone_b"});
}

TEST_CASE("a body alone has nothing that hangs", "[vrm]") {
  const Found found = find(bodies::t_pose());
  CHECK(found.kinds.empty());
  CHECK(found.reasons.empty());
}

TEST_CASE("a chain whose name says nothing hangs if it leaves the body", "[vrm]") {
  std::vector<Part> parts = bodies::t_pose();
  hang(parts, "Head", {"bone_1", "bone_2", "bone_3"}, back);
  hang(parts, "Head", {"single"}, back);
  hang(parts, "LeftArm", {"muscle_1", "muscle_2"}, {0.09, 0, 0});
  const Found found = find(parts);
  CHECK(found.kinds == std::map<std::string, vrm::HangKind>{{"bone_1", vrm::HangKind::other}});
  CHECK(found.reasons.at("single") == "a single joint, and no word in its name says that it hangs");
  CHECK(found.reasons.at("muscle_1") == "stays along the body");
}

TEST_CASE("faces, controls and joints that move nothing stay still", "[vrm]") {
  std::vector<Part> parts = bodies::t_pose();
  hang(parts, "Head", {"Jaw"}, down);
  hang(parts, "Head", {"hair_ctrl"}, down);
  hang(parts, "Head", {"hair_idle_1", "hair_idle_2"}, down);
  hang(parts, "Head", {"hair_sprung"}, down);
  hang(parts, "LeftForeArm", {"forearm_twist"}, {0.1, 0, 0});
  const Found found = find(parts, {"hair_idle_1", "hair_idle_2"}, {"hair_sprung"});
  CHECK(found.kinds.empty());
  CHECK(found.reasons.at("Jaw") == "part of the face");
  CHECK(found.reasons.at("hair_ctrl") == "named like a control, a prop or a twist joint");
  CHECK(found.reasons.at("forearm_twist") == "named like a control, a prop or a twist joint");
  CHECK(found.reasons.at("hair_idle_1") == "moves no vertex");
  CHECK(found.reasons.at("hair_sprung") == "has a spring or a constraint already");
}

TEST_CASE("strands of one holder are chains of their own", "[vrm]") {
  std::vector<Part> parts = bodies::t_pose();
  hang(parts, "Head", {"HairRoot"}, {0, 0.1, 0});
  hang(parts, "HairRoot", {"a1", "a2", "a3"}, down);
  hang(parts, "HairRoot", {"b1", "b2"}, back);
  hang(parts, "a1", {"fork"}, back);
  const Found found = find(parts);
  CHECK(found.kinds.size() == 3);
  CHECK(found.below.at("a1") == std::vector<std::string>{"a2", "a3"});
  CHECK(found.below.at("b1") == std::vector<std::string>{"b2"});
  CHECK(found.kinds.contains("fork"));
  CHECK(found.reasons.at("HairRoot") == "holds several chains");
}

TEST_CASE("a joint at the end that moves nothing is the tip", "[vrm]") {
  std::vector<Part> parts = bodies::t_pose();
  hang(parts, "Head", {"hair_1", "hair_2", "hair_3", "hair_4"}, down);
  hang(parts, "Hips", {"tail_1", "tail_2"}, back);
  const Found found = find(parts, {"hair_3", "hair_4"});
  CHECK(found.below.at("hair_1") == std::vector<std::string>{"hair_2", "hair_3"});
  CHECK(found.has_tip.at("hair_1"));
  CHECK_FALSE(found.has_tip.at("tail_1"));
}

TEST_CASE("the tail of an animal hangs, that of a fish swims", "[vrm]") {
  const std::vector<Part> fish = {{"spine", -1, {0, 0, 0}},
                                  {"head", 0, {0, 0, 0.3}},
                                  {"tail_1", 0, {0, 0, -0.3}},
                                  {"tail_2", 2, {0, 0, -0.5}}};
  CHECK(find(fish).kinds.empty());
  CHECK(find(fish).reasons.at("tail_1") == "tail of a body without legs");
  std::vector<Part> cat = fish;
  cat.push_back({"thigh.L", 0, {0.1, -0.1, -0.2}});
  cat.push_back({"shin.L", 4, {0.1, -0.3, -0.2}});
  CHECK(find(cat).kinds == std::map<std::string, vrm::HangKind>{{"tail_1", vrm::HangKind::tail}});
}
