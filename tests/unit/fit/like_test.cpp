#include "fit/like.h"

#include <catch2/catch.hpp>

#include "gvbind/base/joint_keys.h"
#include "gvbind/error.h"
#include "gvbind/fitted/default_network.h"
#include "made_up_samples.h"

using namespace gvbind;

namespace {

/// A character whose pairs belong to joints in turn, with the rule of made_up_set() as its artist.
fit::Sibling made_up_sibling(unsigned seed) {
  std::vector<Joint> joints;
  for (const char* name : {"hip", "knee", "foot"})
    joints.push_back({{0.0, 1.0 - 0.5 * static_cast<double>(joints.size()), 0.0},
                      static_cast<int>(joints.size()) - 1,
                      true,
                      name});
  fit::Sibling sibling{"made_up", {}, joints, test::made_up_set(seed, 300)};
  for (std::size_t i = 0; i < sibling.samples.own.size(); ++i)
    sibling.samples.joint.push_back(static_cast<std::uint32_t>(i % 3));
  return sibling;
}

}  // namespace

TEST_CASE("keys of joints drop name spaces, case and punctuation") {
  CHECK(joint_key("mixamorig:Left_Arm.001") == "leftarm001");
  CHECK(joint_key("DEF-spine") == "defspine");
  for (const char* name : {"DEF-spine", "rig|DEF_spine", "DEF.spine", "Def_spine"})
    CHECK(is_called_deforming(name));
  for (const char* name : {"DEFORM", "DEF", "def-spine", "my DEF-spine", ""})
    CHECK_FALSE(is_called_deforming(name));
  CHECK(joint_key("\xe8\x85\x95_L") == "\xe8\x85\x95l");
  CHECK(joint_key("---").empty());
}

TEST_CASE("a pair at the place of a sibling's pair gets nearly the artist's share") {
  PaintedPairs painted;
  painted.scale.assign(point_number_count, 1.0f);
  painted.prior = 0.1f;
  PaintedPairs::OfJoint hip{"hip", {}, {}};
  hip.point.assign(point_number_count * pair_block, 1e6f);
  for (std::size_t f = 0; f < point_number_count; ++f) hip.point[f * pair_block] = 0.0f;
  hip.difference.assign(pair_block, 0.0f);
  hip.difference[0] = 0.4f;
  painted.joints.push_back(hip);
  std::vector<float> features(2 * pair_feature_count, 0.0f), scores = {0.0f, 0.0f};
  const std::vector<int> place = {0, -1};
  correct_scores(painted, features, place, scores);
  softmax(scores, scores);
  const float share = 0.5f + 0.4f / 1.1f;
  CHECK(scores[0] == Approx(share / (share + 0.5f)).margin(1e-4));

  SECTION("one far from all of them keeps the networks' share") {
    std::fill(features.begin(), features.end(), 50.0f);
    scores = {1.0f, 0.0f};
    std::vector<float> before = scores;
    softmax(before, before);
    correct_scores(painted, features, place, scores);
    softmax(scores, scores);
    CHECK(scores[0] == Approx(before[0]).margin(1e-4));
  }
  SECTION("joints that no sibling has keep their scores, bit for bit") {
    scores = {1.0f, 0.25f};
    correct_scores(painted, features, std::vector<int>{-1, -1}, scores);
    CHECK(scores == std::vector<float>{1.0f, 0.25f});
  }
}

TEST_CASE("keys of a skeleton are without words that an exporter adds to nearly every name") {
  const std::vector<std::string_view> numbered = {"_rootJoint",     "Hips_01",   "Spine_02",
                                                  "Spine 1_03",     "Neck_04",   "Upper_Arm_L_05",
                                                  "Upper_Arm_R_06", "Hand_L_07", "Hand_R_08"};
  CHECK(joint_keys(numbered) == std::vector<std::string>{"rootjoint", "hips", "spine", "spine1",
                                                         "neck", "upperarml", "upperarmr", "handl",
                                                         "handr"});
  const std::vector<std::string_view> biped = {"Bip01 Pelvis", "Bip01 Spine",  "Bip01 Spine1",
                                               "Bip01 Head",   "Bip01 L Foot", "Bip01 R Foot",
                                               "Bip01 L Hand", "Bip01 R Hand"};
  CHECK(joint_keys(biped)[4] == "lfoot");
  const std::vector<std::string_view> ending = {"Hips_Rig", "Spine_Rig", "Chest_Rig", "Head_Rig",
                                                "ArmL_Rig", "ArmR_Rig",  "HandL_Rig", "HandR_Rig"};
  CHECK(joint_keys(ending)[0] == "hips");

  SECTION("numbers that tell joints apart stay") {
    const std::vector<std::string_view> chain = {"Bone_1", "Bone_2", "Bone_3", "Bone_4",
                                                 "Bone_5", "Bone_6", "Bone_7", "Bone_8"};
    CHECK(joint_keys(chain)[3] == "bone4");
  }
  SECTION("of a few joints nothing is taken away") {
    CHECK(joint_keys(std::vector<std::string_view>{"Arm_1", "Leg_2"})[0] == "arm1");
  }
}

TEST_CASE("joints that no key finds are found by their place in the skeleton") {
  PaintedPairs painted;
  painted.joints = {{"armleft", {}, {}}, {"armright", {}, {}}, {"hips", {}, {}}};
  painted.skeletons = {{{{{0, 1, 0}, -1, true, "Hips"},
                         {{1, 2, 0}, 0, true, "Arm left"},
                         {{-1, 2, 0}, 0, true, "Arm right"}},
                        {2, 0, 1}}};
  const std::vector<Joint> joints = {{{0, 10, 0}, -1, true, "a"},
                                     {{-8, 18, 1}, 0, true, "b"},
                                     {{8, 18, 1}, 0, true, "c"},
                                     {{0, 0, 0}, 0, true, "d"}};
  CHECK(painted_joints(painted, joints) == std::vector<int>{2, 1, 0, -1});
}

TEST_CASE("joints are found by their keys") {
  PaintedPairs painted;
  painted.joints = {{"foot", {}, {}}, {"hip", {}, {}}};
  const std::vector<Joint> joints = {
      {{}, -1, true, "rig:Hip"}, {{}, 0, true, "Hand"}, {{}, 0, true, ""}, {{}, 0, true, "foot_"}};
  CHECK(painted_joints(painted, joints) == std::vector<int>{1, -1, -1, 0});
}

TEST_CASE("siblings that painted the same places alike help one another") {
  const fit::Sibling one = made_up_sibling(1);
  const std::vector<fit::Sibling> twins = {one, one};
  const fit::LikeFit fit = fit::fit_like(twins, default_networks());
  CHECK(fit.with < 0.5 * fit.without);
  CHECK(fit.painted->joints.size() == 3);
}

TEST_CASE("a sibling that does not help itself is refused with the figures") {
  std::vector<fit::Sibling> one = {made_up_sibling(1)};
  for (float& number : one[0].samples.features) number *= 1000.0f;  // all are far apart
  CHECK_THROWS_WITH(fit::fit_like(one, default_networks()),
                    Catch::Contains("--like does not help"));
}
