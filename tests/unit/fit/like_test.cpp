#include "fit/like.h"

#include <catch2/catch.hpp>

#include "gvbind/error.h"
#include "gvbind/fitted/default_network.h"
#include "made_up_samples.h"

using namespace gvbind;

namespace {

/// A character whose pairs belong to joints in turn, with the rule of made_up_set() as its artist.
Sibling made_up_sibling(unsigned seed) {
  Sibling sibling{"made_up", {}, {"hip", "knee", "foot"}, test::made_up_set(seed, 300)};
  for (std::size_t i = 0; i < sibling.samples.own.size(); ++i)
    sibling.samples.joint.push_back(static_cast<std::uint32_t>(i % 3));
  return sibling;
}

}  // namespace

TEST_CASE("keys of joints drop name spaces, case and punctuation") {
  CHECK(joint_key("mixamorig:Left_Arm.001") == "leftarm001");
  CHECK(joint_key("DEF-spine") == "defspine");
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

TEST_CASE("joints are found by their keys") {
  PaintedPairs painted;
  painted.joints = {{"foot", {}, {}}, {"hip", {}, {}}};
  const std::vector<Joint> joints = {
      {{}, -1, true, "rig:Hip"}, {{}, 0, true, "Hand"}, {{}, 0, true, ""}, {{}, 0, true, "foot_"}};
  CHECK(painted_joints(painted, joints) == std::vector<int>{1, -1, -1, 0});
}

TEST_CASE("siblings that painted the same places alike help one another") {
  const Sibling one = made_up_sibling(1);
  const std::vector<Sibling> twins = {one, one};
  const LikeFit fit = fit_like(twins, default_networks());
  CHECK(fit.with < 0.5 * fit.without);
  CHECK(fit.painted->joints.size() == 3);
}

TEST_CASE("a sibling that does not help itself is refused with the figures") {
  std::vector<Sibling> one = {made_up_sibling(1)};
  for (float& number : one[0].samples.features) number *= 1000.0f;  // all are far apart
  CHECK_THROWS_WITH(fit_like(one, default_networks()), Catch::Contains("--like does not help"));
}
