#include "bind/twist_weights.h"

#include <catch2/catch.hpp>
#include <map>

using namespace gvbind;

namespace {

SceneJoint joint_at(const std::string& name, int parent, double x) {
  SceneJoint joint;
  joint.name = name;
  joint.parent = parent;
  joint.bind.translation() = Eigen::Vector3d(x, 0, 0);
  return joint;
}

/// An arm along x with its elbow at 0 and its wrist at 3, and vertices at the given places.
Scene arm(const std::vector<double>& places, bool is_base) {
  Scene scene;
  scene.joints = {joint_at("upper", -1, -3), joint_at("fore", 0, 0), joint_at("hand", 1, 3),
                  joint_at("fore_1", 1, 1), joint_at("fore_2", 1, 2)};
  if (!is_base) std::swap(scene.joints[3].name, scene.joints[4].name);
  scene.meshes.resize(1);
  for (const double x : places) scene.meshes[0].positions.emplace_back(x, 0.3, -0.2);
  return scene;
}

SkinWeights rows(const std::vector<std::vector<Influence>>& of) {
  SkinWeights out;
  for (const auto& row : of) {
    for (const Influence& one : row) {
      out.joint.push_back(one.joint);
      out.weight.push_back(one.weight);
    }
    out.first.push_back(static_cast<std::uint32_t>(out.joint.size()));
  }
  return out;
}

std::map<std::uint32_t, float> row_of(const SceneWeights& weights, std::size_t v) {
  std::map<std::uint32_t, float> out;
  for (const Influence& one : weights.meshes[0].row(v)) out[one.joint] = one.weight;
  return out;
}

const std::vector<TwistLimb> forearm = {{"fore", "hand", {"fore_1", "fore_2"}, true}};

}  // namespace

TEST_CASE("a forearm's weight goes from its joint to the twist joints along the bone") {
  const Scene scene = arm({-1, 0, 0.5, 1, 1.75, 2, 3}, true);
  SceneWeights weights{
      {rows({{{1, 1}}, {{1, 1}}, {{1, 1}}, {{1, 1}}, {{1, 1}}, {{1, 1}}, {{1, 1}}})}};
  spread_twist_weights(forearm, scene, 4, weights);
  CHECK(row_of(weights, 0) == std::map<std::uint32_t, float>{{1, 1.0f}});
  CHECK(row_of(weights, 1) == std::map<std::uint32_t, float>{{1, 1.0f}});
  CHECK(row_of(weights, 2) == std::map<std::uint32_t, float>{{1, 0.5f}, {3, 0.5f}});
  CHECK(row_of(weights, 3) == std::map<std::uint32_t, float>{{3, 1.0f}});
  CHECK(row_of(weights, 4) == std::map<std::uint32_t, float>{{3, 0.25f}, {4, 0.75f}});
  CHECK(row_of(weights, 5) == std::map<std::uint32_t, float>{{4, 1.0f}});
  CHECK(row_of(weights, 6) == std::map<std::uint32_t, float>{{4, 1.0f}});
  CHECK(weights.meshes[0].row(4)[0].joint == 4);
}

TEST_CASE("an upper arm's own joint has the end of the bone") {
  const Scene scene = arm({0, 2.5, 3}, false);
  SceneWeights weights{{rows({{{1, 1}}, {{1, 1}}, {{1, 1}}})}};
  spread_twist_weights({{"fore", "hand", {"fore_2", "fore_1"}, false}}, scene, 0, weights);
  const auto first = row_of(weights, 0), near_end = row_of(weights, 1), end = row_of(weights, 2);
  CHECK(first.size() == 1);
  CHECK(scene.joints[first.begin()->first].bind.translation().x() == 1.0);
  CHECK(near_end.at(1) == 0.5f);
  CHECK(end == std::map<std::uint32_t, float>{{1, 1.0f}});
}

TEST_CASE("other weights stay, and sums are one within the limit of joints") {
  const Scene scene = arm({1.5, 1.1, 1.5}, true);
  SceneWeights weights{{rows({{{0, 0.5f}, {1, 0.5f}},
                              {{0, 0.4f}, {2, 0.35f}, {1, 0.25f}},
                              {{1, 0.9f}, {0, 0.06f}, {2, 0.04f}}})}};
  spread_twist_weights(forearm, scene, 3, weights);
  CHECK(row_of(weights, 0) == std::map<std::uint32_t, float>{{0, 0.5f}, {3, 0.25f}, {4, 0.25f}});
  // The smallest is a share of the forearm's, so the other share gets it.
  CHECK(row_of(weights, 1) == std::map<std::uint32_t, float>{{0, 0.4f}, {2, 0.35f}, {3, 0.25f}});
  // The smallest is another joint's, so all get it.
  const auto last = row_of(weights, 2);
  CHECK(last.size() == 3);
  CHECK(!last.contains(2));
  float sum = 0;
  for (const auto& [joint, weight] : last) sum += weight;
  CHECK(sum == Approx(1.0));
  for (std::size_t v = 0; v < 3; ++v) {
    const WeightRow row = weights.meshes[0].row(v);
    for (std::size_t i = 1; i < row.size(); ++i) CHECK(row[i - 1].weight >= row[i].weight);
  }
}

TEST_CASE("vertices that a rule gives to a joint keep it alone") {
  Scene scene = arm({1.1, 1.5}, true);
  scene.meshes[0].assigned_joint = {-1, 1};
  SceneWeights weights{{rows({{{1, 1.0f}}, {{1, 1.0f}}})}};
  spread_twist_weights(forearm, scene, 3, weights);
  CHECK(row_of(weights, 0).size() == 2);
  CHECK(row_of(weights, 1) == std::map<std::uint32_t, float>{{1, 1.0f}});
}

TEST_CASE("a skeleton without its twist joints is that which is bound") {
  Scene scene = arm({}, true);
  detach_twists(forearm, scene.joints);
  CHECK(scene.joints[1].deforms);
  for (const std::size_t twist : {3u, 4u}) {
    CHECK(!scene.joints[twist].deforms);
    CHECK(scene.joints[twist].parent == -1);
  }
}
