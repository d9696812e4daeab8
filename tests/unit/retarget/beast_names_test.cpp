#include "retarget/beast_names.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "bodies.h"
#include "retarget/leg_names.h"
#include "retarget/name_words.h"

using namespace gvbind;

namespace {

/// The joints of one leg, the highest first, with "@" where the side stands.
struct LegOfRig {
  std::vector<std::string> front, hind;
  std::string left = "L", right = "R";
};

std::string with_side(std::string name, const std::string& side) {
  return name.replace(name.find('@'), 1, side);
}

/// A beast that looks along +z with four legs of these names, each joint below the one before.
NodeScene beast(const LegOfRig& rig) {
  static std::vector<std::string> names;
  names.clear();
  names.reserve(100);
  std::vector<bodies::Part> parts = {{"Spine0", -1, {0, 1.0, -0.5}},
                                     {"Spine1", 0, {0, 1.05, 0.5}},
                                     {"Neck", 1, {0, 1.1, 0.7}},
                                     {"Head", 2, {0, 1.3, 0.9}}};
  const auto add = [&](const std::vector<std::string>& leg, int parent, double z) {
    for (const double side : {1.0, -1.0}) {
      int above = parent;
      for (std::size_t k = 0; k < leg.size(); ++k) {
        names.push_back(with_side(leg[k], side > 0 ? rig.left : rig.right));
        const double down = 0.9 * static_cast<double>(k) / static_cast<double>(leg.size() - 1);
        parts.push_back({names.back().c_str(),
                         above,
                         {0.2 * side, 0.95 - down, z + (k % 2 == 0 ? 0.0 : 0.05)}});
        above = static_cast<int>(parts.size()) - 1;
      }
    }
  };
  add(rig.hind, 0, -0.5);
  add(rig.front, 1, 0.5);
  return bodies::scene_of(parts, [](std::size_t) { return bodies::Quaterniond::Identity(); });
}

/// The name of each part of the body, without its side.
std::map<std::string, std::string> parts_of(const LegOfRig& rig) {
  const NodeScene scene = beast(rig);
  const retarget::RestSkeleton rest = retarget::node_pose_skeleton(scene);
  const retarget::BodyRoles roles = retarget::body_roles(rest);
  std::map<std::string, std::string> out;
  for (const auto& [part, nodes] : roles.parts) out[part] = rest.names[nodes.front()];
  return out;
}

void check(const LegOfRig& rig, const std::map<std::string, std::string>& expected) {
  const auto found = parts_of(rig);
  for (const auto& [part, name] : expected)
    for (const auto& [end, side] : {std::pair(".L", rig.left), {".R", rig.right}}) {
      INFO(part << end << " is called " << with_side(name, side));
      const auto at = found.find(part + end);
      REQUIRE(at != found.end());
      CHECK(at->second == with_side(name, side));
    }
}

/// The parts of a leg in four joints each, as many rigs have them.
std::map<std::string, std::string> four_each(const LegOfRig& rig) {
  return {{"upper_arm", rig.front[0]}, {"forearm", rig.front[1]}, {"hand", rig.front[2]},
          {"thigh", rig.hind[0]},      {"shin", rig.hind[1]},     {"foot", rig.hind[2]},
          {"toe", rig.hind[3]}};
}

}  // namespace

TEST_CASE("legs of beasts are known by the words of many rigs", "[retarget]") {
  for (const LegOfRig& rig : {
           LegOfRig{{"front_thigh.@", "front_shin.@", "front_foot.@", "front_toe.@"},
                    {"thigh.@", "shin.@", "foot.@", "toe.@"}},
           LegOfRig{{"Fore_Leg_Upper_@", "Fore_Leg_Lower_@", "Fore_Leg_Ankle_@", "Fore_Paw_@"},
                    {"Rear_Leg_Upper_@", "Rear_Leg_Lower_@", "Rear_Leg_Ankle_@", "Rear_Paw_@"}},
           LegOfRig{{"@Humerus", "@Radius", "@Carpus", "@ForeHoof"},
                    {"@Femur", "@Tibia", "@Metatarsus", "@HindHoof"}},
           LegOfRig{{"ForeLeg1.@", "ForeLeg2.@", "ForeLeg3.@", "ForeLeg4.@"},
                    {"BackLeg1.@", "BackLeg2.@", "BackLeg3.@", "BackLeg4.@"}},
           LegOfRig{{"@_F_Thigh", "@_F_Knee", "@_F_Ankle", "@_F_Hoof"},
                    {"@_B_Thigh", "@_B_Knee", "@_B_Ankle", "@_B_Hoof"}},
           LegOfRig{{"Vorderbein_1_@", "Vorderbein_2_@", "Vorderbein_3_@", "Vorderpfote_@"},
                    {"Hinterbein_1_@", "Hinterbein_2_@", "Hinterbein_3_@", "Hinterpfote_@"}},
           LegOfRig{{"Perna_Dianteira1_@", "Perna_Dianteira2_@", "Tornozelo_Dianteira_@",
                     "Pata_Dianteira_@"},
                    {"Perna_Traseira1_@", "Perna_Traseira2_@", "Tornozelo_Traseira_@",
                     "Pata_Traseira_@"}},
           LegOfRig{{"Leg@F1", "Leg@F2", "Leg@FAnkle", "Leg@FDigit"},
                    {"Leg@B1", "Leg@B2", "Leg@BAnkle", "Leg@BDigit"}},
       })
    check(rig, four_each(rig));
}

TEST_CASE("shoulder blades are collars, and a leg may have three joints", "[retarget]") {
  check({{"scapula_@", "front_leg_@", "front_knee_@", "front_hoof_@"},
         {"hind_leg_@", "hind_knee_@", "hind_hoof_@"},
         "l",
         "r"},
        {{"collar", "scapula_@"},
         {"upper_arm", "front_leg_@"},
         {"forearm", "front_knee_@"},
         {"hand", "front_hoof_@"},
         {"thigh", "hind_leg_@"},
         {"shin", "hind_knee_@"},
         {"foot", "hind_hoof_@"}});
  check({{"Front@", "AnkleFront@", "ToeFront@"},
         {"Back@", "AnkleBack@", "ToeBack@"},
         "Left",
         "Right"},
        {{"upper_arm", "Front@"},
         {"forearm", "AnkleFront@"},
         {"hand", "ToeFront@"},
         {"thigh", "Back@"},
         {"shin", "AnkleBack@"},
         {"foot", "ToeBack@"}});
  // Feet alone say which leg it is.
  check(
      {{"Leg1@", "Leg2@", "FrontFoot@"}, {"Leg3@", "Leg4@", "RearFoot@"}, "L", "R"},
      {{"upper_arm", "Leg1@"}, {"hand", "FrontFoot@"}, {"thigh", "Leg3@"}, {"foot", "RearFoot@"}});
}

TEST_CASE("names of humans are not those of beasts", "[retarget]") {
  const auto keeps = [](const std::vector<std::pair<std::string, int>>& joints) {
    std::vector<std::string> names;
    std::vector<int> parents;
    for (const auto& [name, parent] : joints) {
      names.push_back(name);
      parents.push_back(parent);
    }
    const std::vector<std::string> before = names;
    return !retarget::name_four_legs(parents, names) && names == before;
  };
  // Roll joints of a foot.
  CHECK(keeps({{"thigh_l", -1},
               {"calf_l", 0},
               {"foot_l", 1},
               {"foot_front_l", 2},
               {"foot_back_l", 2},
               {"thigh_r", -1},
               {"calf_r", 5},
               {"foot_r", 6},
               {"foot_front_r", 7},
               {"foot_back_r", 7},
               {"upperarm_l", -1},
               {"upperarm_r", -1}}));
  // A skirt.
  CHECK(keeps({{"hips", -1},
               {"SkirtFront_L", 0},
               {"SkirtBack_L", 0},
               {"SkirtFront_R", 0},
               {"SkirtBack_R", 0},
               {"thigh_L", 0},
               {"thigh_R", 0}}));
  // "b" for bone, "f" for fingers.
  CHECK(keeps({{"b_hips", -1},
               {"b_L_thigh", 0},
               {"b_L_calf", 1},
               {"b_R_thigh", 0},
               {"b_R_calf", 3},
               {"b_L_hand", -1},
               {"b_R_hand", -1},
               {"f_index_L", 5},
               {"f_index_R", 6},
               {"f_toe_L", 2},
               {"f_toe_R", 4}}));
  CHECK(retarget::leg_name("LeftForeArm").place == retarget::LegPlace::unknown);
  CHECK(retarget::leg_name("Backbone_L").part == retarget::LegPart::none);
  CHECK(retarget::leg_name("FrontLeg_IK.L").part == retarget::LegPart::none);
}

TEST_CASE("words of beasts are known in seven languages", "[retarget]") {
  CHECK(retarget::english_name("Vorderhuf_L") == "front hoof_L");
  CHECK(retarget::english_name("patte avant L") == "leg front L");
  CHECK(retarget::english_name("zampa_posteriore.R") == "paw_hind.R");
  CHECK(retarget::english_name("DeerLFemur") == "DeerL thigh");
}
