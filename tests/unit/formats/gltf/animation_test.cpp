#include "formats/gltf/animation.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "formats/clip.h"
#include "formats/gltf/sample.h"
#include "formats/gltf/sampler.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// skinned_square() with an animation "wave", which rotates the chest by 90 degrees about z from 1
/// to 3 seconds, and one without a name, which moves the hip.
Sample waving(const std::string& interpolation, const std::vector<float>& rotations) {
  Sample s = skinned_square();
  const std::size_t times = s.accessor(std::vector<float>{1, 3}, "SCALAR", 5126, 1);
  const std::size_t turns = s.accessor(rotations, "VEC4", 5126, 4);
  const std::size_t moves = s.accessor(std::vector<float>{0, 0, 0, 4, 0, 2}, "VEC3", 5126, 3);
  s.json["animations"] = Json::array(
      {Json{{"name", "wave"},
            {"samplers", {{{"input", times}, {"output", turns}, {"interpolation", interpolation}}}},
            {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}}},
       Json{{"samplers", {{{"input", times}, {"output", moves}}}},
            {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}}}}});
  return s;
}

const float half = std::sqrt(0.5f);
const std::vector<float> quarter_turn = {0, 0, 0, 1, 0, 0, half, half};

/// The posed position of the top right corner, which follows the chest.
Eigen::Vector3d posed_corner(const Sample& s, std::size_t clip, double seconds) {
  Findings findings;
  const Document document = parsed(s);
  const Scene scene = scene_of(document, {}, findings);
  return clip_pose(document, scene, clip, seconds)[1] * Eigen::Vector3d(1, 1, 0);
}

bool near(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (a - b).norm() < 1e-6; }

}  // namespace

TEST_CASE("clips are listed by name, or by number where they have none") {
  const Document document = parsed(waving("LINEAR", quarter_turn));
  CHECK(clip_names(document) == std::vector<std::string>{"wave", "animation 1"});
  CHECK(clip_names(Document(Scene())).empty());
}

TEST_CASE("a clip turns a joint between its keys and stands still outside of them") {
  const Sample s = waving("LINEAR", quarter_turn);
  CHECK(near(posed_corner(s, 0, -5), {1, 1, 0}));
  CHECK(near(posed_corner(s, 0, 1), {1, 1, 0}));
  CHECK(near(posed_corner(s, 0, 2), {half, 1 + half, 0}));
  CHECK(near(posed_corner(s, 0, 3), {0, 2, 0}));
  CHECK(near(posed_corner(s, 0, 99), {0, 2, 0}));
}

TEST_CASE("normalized integers of a clip are fractions") {
  Sample s = waving("LINEAR", quarter_turn);
  std::vector<std::int16_t> turns;
  for (const float value : quarter_turn)
    turns.push_back(static_cast<std::int16_t>(std::lround(32767.0f * value)));
  const std::size_t output = s.accessor(turns, "VEC4", 5122, 4);
  s.json["accessors"][output]["normalized"] = true;
  s.json["animations"][0]["samplers"][0]["output"] = output;
  CHECK((posed_corner(s, 0, 2) - Eigen::Vector3d(half, 1 + half, 0)).norm() < 1e-4);
  CHECK((posed_corner(s, 0, 3) - Eigen::Vector3d(0, 2, 0)).norm() < 1e-4);
}

TEST_CASE("normalized bytes of a clip, the weights of morph targets, are fractions") {
  Sample s;
  const std::size_t times = s.accessor(std::vector<float>{0, 1}, "SCALAR", 5126, 1);
  const std::size_t weights = s.accessor(std::vector<std::uint8_t>{0, 51}, "SCALAR", 5121, 1);
  s.json["accessors"][weights]["normalized"] = true;
  const Json animation = {{"samplers", {{{"input", times}, {"output", weights}}}}};
  const Json channel = {{"sampler", 0}};
  const gltf::Sampler sampler =
      gltf::read_sampler(*parsed(s), animation, channel, {1, 1}, {"animations", 0});
  CHECK(sampler.values == std::vector<double>{0.0, 0.2});
}

TEST_CASE("steps hold the key before, splines pass through theirs") {
  CHECK(near(posed_corner(waving("STEP", quarter_turn), 0, 2.9), {1, 1, 0}));
  // In-tangent, value, out-tangent; with zero tangents the middle is the mean.
  const std::vector<float> spline = {0, 0, 0, 0, 0, 0, 0,    1,    0, 0, 0, 0,
                                     0, 0, 0, 0, 0, 0, half, half, 0, 0, 0, 0};
  const Sample s = waving("CUBICSPLINE", spline);
  CHECK(near(posed_corner(s, 0, 1), {1, 1, 0}));
  CHECK(near(posed_corner(s, 0, 3), {0, 2, 0}));
  CHECK(near(posed_corner(s, 0, 2), {half, 1 + half, 0}));
}

TEST_CASE("a joint takes those below it along") {
  CHECK(near(posed_corner(waving("LINEAR", quarter_turn), 1, 2), {3, 1, 1}));
}

TEST_CASE("up stays up where bind space is another than the world") {
  // All inverse bind matrices are rotated by 90 degrees about x: bind space has +Z up.
  Sample s = waving("LINEAR", quarter_turn);
  const std::vector<float> turn = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1};
  std::vector<float> chest = turn;
  chest[13] = -1;
  std::vector<float> both = turn;
  both.insert(both.end(), chest.begin(), chest.end());
  s.json["skins"][0]["inverseBindMatrices"] = s.accessor(both, "MAT4", 5126, 16);
  Findings findings;
  const Document document = parsed(s);
  const Scene scene = scene_of(document, {}, findings);
  const auto pose = clip_pose(document, scene, 0, 0.0);
  CHECK(near(pose[0] * Eigen::Vector3d(1, 2, 3) - pose[0] * Eigen::Vector3d::Zero(), {1, 2, 3}));
}

TEST_CASE("animations that the specification does not allow are refused") {
  const auto refused = [](const Sample& s) {
    try {
      posed_corner(s, 0, 2);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::input;
    }
    return false;
  };
  const Sample good = waving("LINEAR", quarter_turn);
  CHECK_FALSE(refused(good));
  Sample s = good;
  s.json["animations"][0]["channels"][0]["sampler"] = 7;
  CHECK(refused(s));
  s = good;
  s.json["animations"][0]["samplers"][0].erase("output");
  CHECK(refused(s));
  s = good;
  s.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE";
  CHECK(refused(s));
  s = good;
  s.json["animations"][0]["channels"][0]["target"]["node"] = 99;
  CHECK(refused(s));
  s = good;
  s.json["animations"][0]["channels"][0]["target"]["path"] = "translation";
  CHECK(refused(s));
  s = waving("LINEAR", {0, 0, 0, 1, 0, 0, std::nanf(""), 1});
  CHECK(refused(s));
}

TEST_CASE("VRM 0 looks along -Z, VRM 1 as glTF does") {
  Sample s = skinned_square();
  CHECK(scene_of_sample(s).units.front == Eigen::Vector3d(0, 0, 1));
  s.json["extensions"]["VRMC_vrm"] = {{"specVersion", "1.0"}};
  CHECK(scene_of_sample(s).units.front == Eigen::Vector3d(0, 0, 1));
  s.json["extensions"]["VRM"] = Json::object();
  CHECK(scene_of_sample(s).units.front == Eigen::Vector3d(0, 0, -1));
}
