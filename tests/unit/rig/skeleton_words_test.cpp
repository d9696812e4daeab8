#include "rig/skeleton_words.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rig/builtin_templates.h"
#include "rig/human_joints.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;

/// Our biped with the names that `renamed` gives, which are ours where it gives none.
template <class Renamed>
std::vector<Joint> biped_named(const Renamed& renamed) {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  for (Joint& joint : joints) joint.name = renamed(joint.name);
  return joints;
}

std::vector<Joint> biped_named(const std::vector<std::pair<std::string, std::string>>& names) {
  return biped_named([&](const std::string& own) {
    for (const auto& [from, to] : names)
      if (own == from + ".L" || own == from + ".R") return to + own.substr(from.size());
    return own;
  });
}

std::size_t index_of(const std::vector<Joint>& joints, std::string_view name) {
  const auto found = std::ranges::find(joints, name, &Joint::name);
  REQUIRE(found != joints.end());
  return static_cast<std::size_t>(found - joints.begin());
}

std::string role_of(const std::vector<Joint>& joints, std::string_view name) {
  return rig::skeleton_roles(joints)[index_of(joints, name)];
}

}  // namespace

TEST_CASE("a leg without a thigh above it is one, whatever the names of the rest") {
  for (const auto& [knee, ankle] : {std::pair("knee", "ankle"), std::pair("shin", "foot")}) {
    const auto joints = biped_named({{"thigh", "leg"}, {"shin", knee}, {"foot", ankle}});
    CHECK(role_of(joints, "leg.L") == "thigh.L");
    CHECK(role_of(joints, std::string(knee) + ".R") == "shin.R");
    CHECK(rig::is_human(rig::analyzed_template(joints)));
  }
  const auto numbered = biped_named({{"thigh", "leg1"}, {"shin", "leg2"}, {"foot", "leg3"}});
  CHECK(role_of(numbered, "leg1.R") == "thigh.R");
  CHECK(role_of(numbered, "leg2.R") == "shin.R");
  CHECK(role_of(numbered, "leg3.R") == "foot.R");
  const auto pieces = biped_named({{"thigh", "thigh"}, {"shin", "thigh.001"}, {"foot", "feet"}});
  CHECK(role_of(pieces, "thigh.R") == "thigh.R");
  CHECK(role_of(pieces, "thigh.001.R") == "shin.R");
  CHECK(role_of(pieces, "feet.R") == "foot.R");
  const auto hips = biped_named({{"thigh", "hip"}, {"shin", "knee"}, {"foot", "ankle"}});
  CHECK(role_of(hips, "hip.L") == "thigh.L");
  const auto usual = biped_named({{"thigh", "upper_leg"}, {"shin", "leg"}});
  CHECK(role_of(usual, "upper_leg.L") == "thigh.L");
  CHECK(role_of(usual, "leg.L") == "shin.L");
}

TEST_CASE("a shoulder between collar and elbow is an upper arm") {
  const auto joints = biped_named(
      {{"shoulder", "collar"}, {"upper_arm", "shoulder"}, {"forearm", "elbow"}, {"hand", "wrist"}});
  CHECK(role_of(joints, "collar.L") == "collar.L");
  CHECK(role_of(joints, "shoulder.L") == "upper_arm.L");
  CHECK(role_of(joints, "elbow.R") == "forearm.R");
  const auto numbered = biped_named({{"upper_arm", "arm1"}, {"forearm", "arm2"}});
  CHECK(role_of(numbered, "arm1.L") == "upper_arm.L");
  CHECK(role_of(numbered, "arm2.L") == "forearm.L");
  CHECK(rig::joint_role("LKnee") == "shin.L");
}

TEST_CASE("a spine that is numbered up to the crown ends in neck and head") {
  const auto joints = biped_named([](const std::string& own) {
    return own == "neck" ? "spine.005" : own == "head" ? "spine.006" : own;
  });
  CHECK(role_of(joints, "spine.005") == "neck");
  CHECK(role_of(joints, "spine.006") == "head");
  CHECK(role_of(joints, "spine") == "spine");
  CHECK(rig::is_human(rig::analyzed_template(joints)));
}

TEST_CASE("limbs of a flat rig hang together again") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  const std::vector<Joint> whole = joints;
  for (Joint& joint : joints)
    if (rig::joint_side(joint.name) != 0 && joint.deforms && joint.parent > 0) joint.parent = 0;
  const std::vector<int> parents = rig::attached_parents(joints, rig::skeleton_words(joints));
  for (const char* name : {"forearm.L", "hand.R", "shin.L", "foot.R", "upper_arm.R"}) {
    const std::size_t j = index_of(joints, name);
    CHECK(parents[j] == whole[j].parent);
  }
  CHECK(rig::is_human(rig::analyzed_template(joints)));
  // Where all hang together, nothing moves.
  const std::vector<int> same = rig::attached_parents(whole, rig::skeleton_words(whole));
  for (std::size_t j = 0; j < whole.size(); ++j) CHECK(same[j] == whole[j].parent);
}

TEST_CASE("where a rig marks the joints that deform, others are controls") {
  std::vector<Joint> joints = biped_named([](const std::string& own) { return "DEF-" + own; });
  const std::size_t count = joints.size();
  for (std::size_t j = 0; j < count; ++j)
    joints.push_back(
        {joints[j].position - Vector3d(0, 0, 5), 0, true, "control_" + joints[j].name.substr(4)});
  const rig::RigTemplate rig = rig::analyzed_template(joints);
  CHECK(rig::is_human(rig));
  CHECK(rig.low.z() > -2.0);
}

TEST_CASE(
    "sleeves are no forearms, and joints without names are no limb beside head, arms and legs") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  const auto forearm = static_cast<int>(index_of(joints, "forearm.L"));
  joints.push_back({joints[forearm].position - Vector3d(0, 0.4, 0), 0, true, "forearm_sleeve.L"});
  joints.push_back({Vector3d(0.0, 0.9, -0.8), 0, true, "Bone.012"});
  CHECK(rig::skeleton_roles(joints)[joints.size() - 2].empty());
  const rig::RigTemplate rig = rig::analyzed_template(joints);
  CHECK(rig.limbs.size() == 5);
  CHECK(rig::is_human(rig));
}

TEST_CASE("several joints below a forearm are fingers") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  for (Joint& joint : joints)
    if (joint.name == "hand.L" || joint.name == "hand.R") joint.name = "F1" + joint.name.substr(4);
  for (const char* side : {".L", ".R"}) {
    const std::size_t forearm = index_of(joints, std::string("forearm") + side);
    const Vector3d at = joints[forearm].position;
    const double sign = at.x() > 0.0 ? 1.0 : -1.0;
    joints.push_back({at + Vector3d(sign * 0.4, 0, 0.05), static_cast<int>(forearm), true,
                      std::string("F2") + side});
  }
  const rig::RigTemplate rig = rig::analyzed_template(joints);
  CHECK(rig.limbs.size() == 5);
  CHECK(rig::is_human(rig));
}

TEST_CASE("a skeleton that lies is stood up by its names") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  CHECK(rig::upright_turn(joints).isIdentity());
  Eigen::Matrix3d lying;
  lying << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  for (Joint& joint : joints) joint.position = lying * joint.position;
  CHECK((rig::upright_turn(joints) * lying).isIdentity());
  // An animal has its trunk beside its legs.
  std::vector<Joint> animal = rig::builtin_template("quadruped").value();
  CHECK(rig::upright_turn(animal).isIdentity());
}

TEST_CASE("hats and weapons that hang from a root follow the bone nearest to them") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  joints.insert(joints.begin(), {Vector3d::Zero(), -1, true, "root"});
  for (std::size_t j = 1; j < joints.size(); ++j) ++joints[j].parent;
  const std::size_t head = index_of(joints, "head"), forearm = index_of(joints, "forearm.L"),
                    hand = index_of(joints, "hand.L");
  const Vector3d middle = 0.5 * (joints[forearm].position + joints[hand].position);
  const auto count = static_cast<int>(joints.size());
  joints.push_back({joints[head].position + Vector3d(0, 0.3, 0), 0, true, "HAT1"});
  joints.push_back({joints[head].position + Vector3d(0, 0.5, 0), count, true, "HAT2"});
  joints.push_back({middle + Vector3d(0, 0.03, 0), 0, true, "Buckler"});
  const std::vector<int> parents = rig::attached_parents(joints, rig::skeleton_words(joints));
  CHECK(parents[count] == static_cast<int>(head));
  CHECK(parents[count + 1] == count);
  CHECK(parents[count + 2] == static_cast<int>(forearm));
  // A joint that hangs from a part of the body stays there.
  joints.back().parent = static_cast<int>(head);
  CHECK(rig::attached_parents(joints, rig::skeleton_words(joints)).back() ==
        static_cast<int>(head));
}

}  // namespace gvbind
