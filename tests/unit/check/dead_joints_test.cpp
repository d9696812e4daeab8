#include "check/dead_joints.h"

#include <catch2/catch.hpp>

#include "check/check.h"
#include "check/judge_bind.h"
#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Row;
using test::smooth_row;
using test::trousers;

/// Moves the weight of one joint to another.
Scene taken(std::uint32_t joint, std::uint32_t by) {
  return trousers([=](double s, const Vector3d&) {
    Row row = smooth_row(s);
    for (auto& [owner, weight] : row)
      if (owner == joint) owner = by;
    return row;
  });
}

std::vector<std::string> dead_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const check::DeadJoint& dead : check::check_scene(scene).dead_joints)
    names.push_back(scene.joints[dead.joint].name + " to " + scene.joints[dead.taken_by].name);
  return names;
}

using Names = std::vector<std::string>;

SceneWeights weights_of(const Scene& scene) { return {{scene.meshes[0].weights}}; }

}  // namespace

TEST_CASE("a joint at a part that follows another one is dead, and who took the part is named") {
  CHECK(dead_names(trousers()).empty());
  const Scene scene = taken(3, 2);
  CHECK(dead_names(scene) == Names{"foot_l to shin_l"});
  const Findings findings = check::check_scene(scene).findings;
  const auto dead = std::ranges::find(findings, "dead-joint", &Finding::code);
  REQUIRE(dead != findings.end());
  CHECK(dead->severity == Severity::warning);
  CHECK(dead->pointer == "foot_l");
  CHECK(dead->message.find("joint 'foot_l' moves nothing") == 0);
  CHECK(dead->message.find("follow 'shin_l'") != std::string::npos);
}

TEST_CASE(
    "a joint inside a chain needs a larger region to be dead, because it still moves its "
    "descendants") {
  const Scene scene = taken(2, 1);
  CHECK(dead_names(scene) == Names{"shin_l to thigh_l"});
  check::CheckOptions options;
  options.dead_joints.link_region = 0.5;
  CHECK(check::check_scene(scene, options).dead_joints.empty());
}

TEST_CASE("helpers, ends and the joint above the whole body may be without weight") {
  Scene scene = trousers();
  scene.joints.push_back(test::joint("twist", 1, {-0.2, 0.75, 0}));       // on the thigh's bone
  scene.joints.push_back(test::joint("foot_l_end", 3, {-0.2, 0.05, 0}));  // inside the foot
  CHECK(dead_names(scene).empty());
  scene.joints.back().name = "toes";
  CHECK(dead_names(scene) == Names{"toes to foot_l"});
  scene.joints.back().bind.translation().y() = -0.12;  // beyond the tip of the foot
  CHECK(dead_names(scene).empty());

  Scene held = trousers();
  held.joints[0].parent = -1;
  held.joints.insert(held.joints.begin(), test::joint("floor", -1, {0, 0, 0}));
  for (std::size_t j = 1; j < held.joints.size(); ++j) ++held.joints[j].parent;
  for (std::uint32_t& joint : held.meshes[0].weights.joint) ++joint;
  for (int& joint : held.meshes[0].skin_joints) ++joint;
  CHECK(dead_names(held).empty());
}

TEST_CASE("in a rig that marks the joints that deform, the others may be without weight") {
  Scene scene = taken(3, 2);
  for (SceneJoint& joint : scene.joints) joint.name = "DEF-" + joint.name;
  CHECK(dead_names(scene) == Names{"DEF-foot_l to DEF-shin_l"});
  scene.joints[3].name = "TGT-foot_l";
  CHECK(dead_names(scene).empty());
  for (std::size_t j = 2; j < scene.joints.size(); ++j)  // two marks are no habit
    scene.joints[j].name = "other" + std::to_string(j);
  CHECK(dead_names(scene) == Names{"other3 to other2"});
}

TEST_CASE("a joint that is not to deform is not dead") {
  Scene scene = taken(3, 2);
  scene.joints[3].deforms = false;
  CHECK(dead_names(scene).empty());
}

TEST_CASE("names say which joints nothing is to follow") {
  for (const char* name : {"Foot.L_end", "mixamorig:HeadTop_End", "ik_hand_l", "handslot.r",
                           "Bip01 HeadNub", "TailCurveController.001"})
    CHECK(check::is_unweighted_name(name));
  for (const char* name : {"Foot.L", "Hand_R", "Bendy", "spike", "tipsy", ""})
    CHECK_FALSE(check::is_unweighted_name(name));
}

TEST_CASE("a joint that moved vertices and moves none after a bind is dead, whatever its name") {
  Scene before = trousers();
  before.joints[3].name = "ik_foot_l";
  const check::BindJudgement judgement = check::judge_bind(before, weights_of(taken(3, 2)));
  const auto dead = std::ranges::find(judgement.findings, "dead-joint", &Finding::code);
  REQUIRE(dead != judgement.findings.end());
  CHECK(dead->message.find("joint 'ik_foot_l' moved ") == 0);
  CHECK(dead->message.find("moves none now") != std::string::npos);
  CHECK(dead->message.find("follow 'shin_l'") != std::string::npos);
  CHECK(std::ranges::count(judgement.findings, "dead-joint", &Finding::code) == 1);
  REQUIRE(judgement.comparison);
  CHECK(judgement.comparison->before.dead_joints == 0);
  CHECK(judgement.comparison->now.dead_joints == 1);
  CHECK(judgement.comparison->verdict == check::SkinVerdict::worse);
  const auto worse = std::ranges::find(judgement.findings, "worse-than-before", &Finding::code);
  REQUIRE(worse != judgement.findings.end());
  CHECK(worse->message.find("dead joints 1 (was 0): 'ik_foot_l'") != std::string::npos);
}

TEST_CASE("a joint that was dead before is no worse, and one that had a small part of weights") {
  const Scene dead = taken(3, 2);
  const check::BindJudgement same = check::judge_bind(dead, weights_of(dead));
  CHECK(same.comparison->verdict == check::SkinVerdict::equal);
  CHECK(std::ranges::count(same.findings, "dead-joint", &Finding::code) == 1);

  Scene traces = trousers();
  traces.joints.push_back(test::joint("extra", 0, {0, 1.3, 0}));
  SkinWeights& weights = traces.meshes[0].weights;
  weights.joint.back() = 7, weights.weight.back() = 0.25f;
  weights.joint.push_back(6), weights.weight.push_back(0.75f);
  ++weights.first.back();
  const check::BindJudgement gone = check::judge_bind(traces, weights_of(trousers()));
  CHECK(gone.findings.empty());
}

}  // namespace gvbind
