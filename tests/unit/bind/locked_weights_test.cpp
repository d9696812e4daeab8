#include "bind/locked_weights.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "support/shapes.h"

using namespace gvbind;

namespace {

SkinWeights weights_of_rows(const std::vector<std::vector<Influence>>& rows) {
  SkinWeights weights;
  for (const std::vector<Influence>& row : rows) {
    for (const Influence& entry : row) {
      weights.joint.push_back(entry.joint);
      weights.weight.push_back(entry.weight);
    }
    weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
  }
  return weights;
}

SceneJoint joint_called(const std::string& name) {
  SceneJoint joint;
  joint.name = name;
  return joint;
}

/// Joints a, b, c, d; mesh "body" with weights of a and b, and "coat" without weights.
Scene locked_scene() {
  Scene scene;
  for (const char* name : {"a", "b", "c", "d"}) scene.joints.push_back(joint_called(name));
  scene.meshes.resize(2);
  scene.meshes[0].name = "body";
  scene.meshes[0].positions.resize(3);
  scene.meshes[0].weights =
      weights_of_rows({{{0, 0.75f}, {1, 0.25f}}, {{1, 1.0f}}, {{0, 1.0f}, {1, 1.0f}}});
  scene.meshes[1].name = "coat";
  scene.meshes[1].positions.resize(1);
  return scene;
}

struct Planned {
  ExistingPlan plan;
  std::vector<bool> locked;
  std::vector<std::string> said;
};

Planned planned(const Scene& scene, const std::vector<std::string>& locks) {
  Planned made;
  Findings findings;
  made.plan = plan_existing(scene, Existing::replace, findings);
  std::vector<LockRule> rules;
  for (const std::string& lock : locks) rules.push_back(parse_lock(lock));
  made.locked = plan_locks(scene, rules, made.plan, findings);
  for (const Finding& finding : findings) {
    CHECK(finding.code == "rule-unmatched");
    made.said.push_back(finding.message);
  }
  return made;
}

std::map<std::uint32_t, float> entries(const std::vector<Influence>& row) {
  std::map<std::uint32_t, float> made;
  for (const Influence& entry : row) made[entry.joint] = entry.weight;
  return made;
}

}  // namespace

TEST_CASE("joints and meshes with weights are locked, and patterns without a match are reported") {
  const Scene scene = locked_scene();
  Planned made = planned(scene, {"a", "joint:b*"});
  CHECK(made.locked == std::vector<bool>{true, true, false, false});
  CHECK(made.plan.meshes[0] == MeshWeights::replaced);
  CHECK(made.said.empty());
  made = planned(scene, {"mesh:b*"});
  CHECK(made.locked.empty());
  CHECK(made.plan.meshes[0] == MeshWeights::kept);
  CHECK(planned(scene, {"b*"}).plan.meshes[0] == MeshWeights::kept);
  CHECK(planned(scene, {"b*"}).locked == std::vector<bool>{false, true, false, false});
  made = planned(scene, {"coat", "d", "joint:body", "mesh:a", "boddy"});
  CHECK(made.locked.empty());
  REQUIRE(made.said.size() == 5);
  CHECK(made.said[0] == "--lock 'coat': what matches 'coat' has no sound weights to keep");
  CHECK(made.said[1] == "--lock 'd': what matches 'd' has no sound weights to keep");
  CHECK(made.said[2] == "--lock 'joint:body': no joint matches 'body'");
  CHECK(made.said[4] ==
        "--lock 'boddy': no joint or mesh that is bound matches 'boddy'; is it 'body'?");
}

TEST_CASE("a row keeps what locked joints own and shares the rest") {
  const std::vector<bool> locked = {true, false, false, false};
  const SkinWeights rows = weights_of_rows(
      {{{0, 1.5f}, {1, 0.5f}}, {{0, 0.8f}, {2, 0.15f}, {3, 0.05f}}, {{1, 1.0f}}, {{0, 1.0f}}});
  CHECK(entries(row_around_locks(rows.row(0), rows.row(1), locked, {4})) ==
        std::map<std::uint32_t, float>{{0, 0.75f}, {2, 0.1875f}, {3, 0.0625f}});
  // A locked joint that had no weight gets none; one that had all weight keeps it all.
  CHECK(entries(row_around_locks(rows.row(2), rows.row(1), locked, {0})) ==
        std::map<std::uint32_t, float>{{2, 0.75f}, {3, 0.25f}});
  CHECK(entries(row_around_locks(rows.row(3), rows.row(1), locked, {4})) ==
        std::map<std::uint32_t, float>{{0, 1.0f}});
  // If the new row has no unlocked joint, the old one's are used.
  CHECK(entries(row_around_locks(rows.row(0), rows.row(3), locked, {4})) ==
        std::map<std::uint32_t, float>{{0, 0.75f}, {1, 0.25f}});
  CHECK(entries(row_around_locks(rows.row(0), rows.row(1), locked, {2})) ==
        std::map<std::uint32_t, float>{{0, 0.75f}, {2, 0.25f}});
  CHECK(entries(row_around_locks(rows.row(0), rows.row(1), locked, {1})) ==
        std::map<std::uint32_t, float>{{0, 1.0f}});
}

TEST_CASE("small weights beside locked ones are pruned, and the largest stays") {
  const std::vector<bool> locked = {true, false, false, false};
  const SkinWeights rows = weights_of_rows(
      {{{0, 0.5f}, {1, 0.5f}}, {{0, 0.2f}, {2, 0.6f}, {3, 0.2f}}, {{0, 0.99f}, {1, 0.01f}}});
  CHECK(entries(row_around_locks(rows.row(0), rows.row(1), locked, {4, 0.2})) ==
        std::map<std::uint32_t, float>{{0, 0.5f}, {2, 0.5f}});
  CHECK(entries(row_around_locks(rows.row(2), rows.row(1), locked, {4, 0.2})).size() == 2);
}

TEST_CASE("any rows around any locks sum to one and keep the locked weights") {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> any(0.01f, 1.0f);
  const auto random_row = [&] {
    std::vector<Influence> row;
    for (std::uint32_t joint = 0; joint < 6; ++joint)
      if (random() % 2) row.push_back({joint, any(random)});
    if (row.empty()) row.push_back({0, 1.0f});
    return row;
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<bool> locked(6);
    for (std::size_t j = 0; j < 6; ++j) locked[j] = random() % 2;
    const std::vector<Influence> old = random_row();
    const SkinWeights rows = weights_of_rows({old, random_row()});
    const auto made = row_around_locks(rows.row(0), rows.row(1), locked, {0});
    float sum = 0.0f, old_sum = 0.0f;
    for (const Influence& entry : made) sum += entry.weight;
    for (const Influence& entry : old) old_sum += entry.weight;
    CHECK(sum == Approx(1.0f).margin(1e-5));
    const bool others =
        std::ranges::any_of(made, [&](auto& entry) { return !locked[entry.joint]; });
    for (const Influence& entry : old)
      if (locked[entry.joint] && others)
        CHECK(entries(made).at(entry.joint) == Approx(entry.weight / old_sum).margin(1e-5));
    for (const Influence& entry : made)
      if (locked[entry.joint])
        CHECK(std::ranges::any_of(old, [&](auto& o) { return o.joint == entry.joint; }));
  }
}

TEST_CASE("locks touch vertices with sound weights of meshes that are bound") {
  Scene scene = locked_scene();
  scene.meshes[0].damaged_vertices = {1};
  SceneWeights weights;
  weights.meshes = {weights_of_rows({{{2, 1.0f}}, {{0, 1.0f}}, {{2, 1.0f}}}),
                    weights_of_rows({{{0, 1.0f}}})};
  Findings findings;
  apply_locks(scene, {true, false, false, false}, {4}, weights, findings);
  CHECK(weights.meshes[0].joint == std::vector<std::uint32_t>{0, 2, 0, 0, 2});
  CHECK(weights.meshes[0].weight == std::vector<float>{0.75f, 0.25f, 1.0f, 0.5f, 0.5f});
  CHECK(weights.meshes[1].joint == std::vector<std::uint32_t>{0});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "weights-locked");
  CHECK(findings[0].message == "1 joint keeps the weights of before in 2 vertices");
}

TEST_CASE("a warning says that locks leave no joint but an excluded one") {
  Scene scene = locked_scene();
  SceneWeights weights;
  weights.meshes = {weights_of_rows({{{0, 1.0f}}, {{0, 1.0f}}, {{0, 1.0f}}}),
                    weights_of_rows({{{0, 1.0f}}})};
  for (SceneJoint& joint : scene.joints) joint.deforms = false;
  Findings findings;
  apply_locks(scene, {true, false, false, false}, {4}, weights, findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[1].severity == Severity::warning);
  CHECK(findings[1].code == "lock-needs-excluded");
}
