#include "gvbind/fitted/joint_groups.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace gvbind;
using Owners = std::vector<std::uint32_t>;

struct Limb {
  std::vector<Joint> joints;
  std::vector<Eigen::Vector3d> position;
  LatticeBones bones;

  std::uint32_t add(const std::string& name, int parent, double x, double y = 0.0) {
    const Eigen::Vector3d at(1000.0 * x, 1000.0 * y, 0.0);
    joints.push_back({at, parent, true, name});
    position.push_back(at);
    bones.push_back({{at.cast<int>(), at.cast<int>()}});
    return static_cast<std::uint32_t>(joints.size() - 1);
  }
  JointGroups groups() const { return joint_groups(joints, position, bones); }
};

/// Collar, upper arm 0 .. 10, forearm 10 .. 20, hand with two fingers.
Limb arm() {
  Limb limb;
  limb.add("collar.L", -1, -3);
  limb.add("arm.L", 0, 0);
  limb.add("forearm.L", 1, 10);
  limb.add("hand.L", 2, 20);
  limb.add("finger.L", 3, 22);
  limb.add("thumb.L", 3, 21, 1);
  return limb;
}

TEST_CASE("the joint of an upper arm owns the end that its twist joint does not", "[gvbind]") {
  Limb limb = arm();
  // Beside the arm, below the collar, as Auto-Rig Pro has it.
  const std::uint32_t twist = limb.add("arm_twist.L", 0, 0);
  const JointGroups made = limb.groups();
  REQUIRE(made.groups.size() == 1);
  CHECK(made.groups[0].owners == Owners{twist, 1});
  CHECK(made.of[1] == 0);
  CHECK(made.of[0] == -1);
  CHECK(group_shares(made.groups[0], {0, 0, 0}).later_share == Approx(0.0).margin(1e-9));
  CHECK(group_shares(made.groups[0], {2500, 900, 0}).later_share == Approx(0.25));
  CHECK(group_shares(made.groups[0], {20000, 0, 0}).later_share == Approx(1.0));
}

TEST_CASE("the joint of a forearm owns the first end, before its twist joints", "[gvbind]") {
  Limb limb = arm();
  const std::uint32_t late = limb.add("forearm_twist_02.L", 2, 17),
                      early = limb.add("forearm_twist_01.L", 2, 13);
  const JointGroups made = limb.groups();
  REQUIRE(made.groups.size() == 1);
  CHECK(made.groups[0].owners == Owners{2, early, late});
  const GroupShares middle = group_shares(made.groups[0], {15000, 0, 0});
  CHECK(static_cast<double>(middle.first) + middle.later_share == Approx(1.0));
}

TEST_CASE("a twist joint at the wrist belongs to the forearm by its name", "[gvbind]") {
  Limb limb = arm();
  const std::uint32_t twist = limb.add("ForearmTwist.L", 2, 20);
  const JointGroups made = limb.groups();
  REQUIRE(made.groups.size() == 1);
  CHECK(made.groups[0].owners == Owners{2, twist});
}

TEST_CASE("no bone is shared with controls, with joints that carry others or that own nothing",
          "[gvbind]") {
  Limb limb = arm();
  limb.add("arm_twist_ctrl.L", 1, 3);
  const std::uint32_t carrying = limb.add("arm_twist.L", 1, 5);
  limb.add("armor.L", static_cast<int>(carrying), 5);
  limb.add("hand_twist_far.L", 3, 21, 15);
  limb.add("twist", -1, 4);
  limb.bones[limb.add("forearm_twist.L", 2, 15)].clear();
  CHECK(limb.groups().groups.empty());
}

TEST_CASE("a head owns for the joint below it that gathers the face", "[gvbind]") {
  Limb limb;
  const std::uint32_t neck = limb.add("neck_01", -1, 0), head = limb.add("head", 0, 5),
                      face = limb.add("CC_Base_FacialBone", 1, 5);
  CHECK(limb.groups().groups.empty());  // nothing below it
  limb.add("jaw", static_cast<int>(face), 6);
  const JointGroups made = limb.groups();
  REQUIRE(made.groups.size() == 1);
  CHECK(made.groups[0].owners == Owners{head});
  CHECK(made.of == std::vector<int>{-1, 0, 0, -1});
  std::uint32_t joint[max_pairs] = {neck, face, head};
  float score[max_pairs] = {0.0f, 1.0f, 1.0f};
  REQUIRE(share_in_groups(made, {5000, 0, 0}, joint, score, 3) == 2);
  CHECK(joint[1] == head);
  CHECK(score[1] == Approx(1.0 + std::log(2.0)));
}

TEST_CASE("rigid components that reach along half of a twisted bone are twisted", "[gvbind]") {
  Limb limb = arm();
  limb.add("forearm_twist.L", 2, 15);
  const JointGroups groups = limb.groups();
  Character character;
  ComponentJoints components;
  const auto add = [&](ComponentKind kind, std::uint32_t joint, int from, int to) {
    const auto k = static_cast<std::uint32_t>(components.kind.size());
    for (const int x : {from, to}) {
      character.mesh.positions.emplace_back(x, 0, 0);
      character.components.component.push_back(k);
    }
    components.kind.push_back(kind);
    components.joint.push_back(joint);
  };
  add(ComponentKind::rigid, 2, 10000, 15000);
  add(ComponentKind::rigid, 2, 15000, 19000);
  add(ComponentKind::rigid, 1, 0, 10000);
  add(ComponentKind::attached, 2, 10000, 20000);
  character.mesh.positions.emplace_back(0, 0, 0);
  character.components.component.push_back(no_component);
  CHECK(grouped_components(groups, character, components) ==
        std::vector<bool>{true, false, false, false});
}

/// exp(score) by joint.
std::vector<double> exponentials(std::span<const std::uint32_t> joint, std::span<const float> score,
                                 std::size_t count) {
  std::vector<double> sums(16, 0.0);
  for (std::size_t i = 0; i < count; ++i) sums[joint[i]] += std::exp(double{score[i]});
  return sums;
}

TEST_CASE("spread scores keep the sum of a bone and all others", "[gvbind]") {
  Limb limb = arm();
  const std::uint32_t twist = limb.add("arm_twist.L", 1, 0);
  const JointGroups groups = limb.groups();
  for (const bool full : {false, true}) {
    std::uint32_t joint[max_pairs] = {3, 1, 2};
    float score[max_pairs] = {-1.0f, 0.5f, 0.25f};
    std::size_t count = 3;
    while (full && count < max_pairs) {
      joint[count] = 4;
      score[count++] = -5.0f;
    }
    const std::vector<double> before = exponentials(joint, score, count);
    count = share_in_groups(groups, {2500, 0, 0}, joint, score, count);
    const std::vector<double> after = exponentials(joint, score, count);
    CHECK(after[2] == before[2]);
    CHECK(after[3] == before[3]);
    // Without room one of the smallest pairs goes.
    CHECK(after[4] == Approx(before[4] - (full ? std::exp(-5.0) : 0.0)));
    CHECK(after[twist] == Approx(0.75 * before[1]).epsilon(1e-4));
    CHECK(after[1] == Approx(0.25 * before[1]).epsilon(1e-4));
  }
}

}  // namespace
