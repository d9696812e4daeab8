#include "character/mirror_weights.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>

using namespace gvbind;

namespace {

constexpr std::size_t pair_count = 40;

SceneJoint side_joint(const std::string& name, double x) {
  SceneJoint joint;
  joint.name = name;
  joint.bind.translation() = Eigen::Vector3d(x, 0.5, 0.0);
  return joint;
}

/// Vertices 2i and 2i + 1 are mirror pairs; one more vertex has no partner. Rows have random
/// weights of joints L, R and spine.
Scene two_sides(SceneWeights& weights) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> any(0.1, 1.0);
  Scene scene;
  scene.joints = {side_joint("spine", 0.0), side_joint("L", 0.5), side_joint("R", -0.5),
                  side_joint("sword", -0.9)};
  SceneMesh& mesh = scene.meshes.emplace_back();
  SkinWeights rows;
  const auto add = [&](const Eigen::Vector3d& at) {
    mesh.positions.push_back(at);
    std::vector<Influence> row;
    float sum = 0.0f;
    for (std::uint32_t joint = 0; joint < 3; ++joint) {
      row.push_back({joint, static_cast<float>(any(random))});
      sum += row.back().weight;
    }
    std::ranges::stable_sort(row, std::greater(), &Influence::weight);
    for (const Influence& entry : row) {
      rows.joint.push_back(entry.joint);
      rows.weight.push_back(entry.weight / sum);
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  };
  for (std::size_t i = 0; i < pair_count; ++i) {
    const Eigen::Vector3d p(any(random), any(random), any(random));
    add(p);
    add({-p.x(), p.y(), p.z()});
  }
  add({0.05, 0.05, 5.0});
  weights.meshes = {rows};
  return scene;
}

std::map<std::uint32_t, float> row_map(const WeightRow& row, bool mirrored) {
  std::map<std::uint32_t, float> made;
  for (const Influence& entry : row)
    made[mirrored && (entry.joint == 1 || entry.joint == 2) ? 3 - entry.joint : entry.joint] =
        entry.weight;
  return made;
}

Findings mirror(const Scene& scene, SceneWeights& weights, Mirror along,
                const BindOptions& options) {
  Findings findings;
  mirror_weights(scene, along, options, weights, findings);
  return findings;
}

}  // namespace

TEST_CASE("twins get mirror images of the mean of both, bit for bit") {
  SceneWeights weights;
  const Scene scene = two_sides(weights);
  const SkinWeights before = weights.meshes[0];
  for (const int influences : {0, 1, 2, 3})
    for (const double prune : {0.0, 0.3}) {
      weights.meshes[0] = before;
      BindOptions options;
      options.max_influences = influences;
      options.prune = prune;
      const Findings findings = mirror(scene, weights, Mirror::x, options);
      CHECK(findings[0].code == "mirrored");
      const SkinWeights& made = weights.meshes[0];
      for (std::size_t v = 0; v < 2 * pair_count; v += 2)
        CHECK(row_map(made.row(v), false) == row_map(made.row(v + 1), true));
      if (influences != 0 || prune != 0.0) continue;
      for (std::size_t v = 0; v < 2 * pair_count; v += 2) {
        auto one = row_map(before.row(v), false), other = row_map(before.row(v + 1), true);
        for (const auto& [joint, weight] : row_map(made.row(v), false))
          CHECK(weight == Approx((one[joint] + other[joint]) / 2.0f));
      }
      CHECK(row_map(made.row(2 * pair_count), false) == row_map(before.row(2 * pair_count), false));
      REQUIRE(findings.size() == 2);
      CHECK(findings[1].message == "1 vertex without a twin beyond x = 0: left as bound");
    }
}

TEST_CASE("pairs with weight on an unpaired joint are left alone and reported") {
  SceneWeights weights;
  const Scene scene = two_sides(weights);
  weights.meshes[0].joint[0] = 3;
  const SkinWeights before = weights.meshes[0];
  const Findings findings = mirror(scene, weights, Mirror::automatic, {});
  for (const std::size_t v : {0u, 1u})
    CHECK(row_map(weights.meshes[0].row(v), false) == row_map(before.row(v), false));
  CHECK(row_map(weights.meshes[0].row(2), false) == row_map(weights.meshes[0].row(3), true));
  REQUIRE(findings.size() == 3);
  CHECK(findings[2].pointer == "sword");
  CHECK(findings[2].message ==
        "joint 'sword' has no twin beyond x = 0: 1 vertex with weight of it left as bound");
}

TEST_CASE("a joint that may not own weight gets none from its twin") {
  SceneWeights weights;
  Scene scene = two_sides(weights);
  scene.joints[1].deforms = false;
  SkinWeights& rows = weights.meshes[0];
  for (std::uint32_t v = 0; v < rows.vertex_count(); ++v) {
    const std::uint32_t owner = v < 4 ? 2 : 0;  // twins of two pairs follow the right side
    for (std::uint32_t i = rows.first[v]; i < rows.first[v + 1]; ++i) rows.joint[i] = owner;
  }
  const SkinWeights before = rows;
  const Findings findings = mirror(scene, weights, Mirror::x, {});
  for (const std::uint32_t joint : rows.joint) CHECK(joint != 1);
  for (std::size_t v = 0; v < 4; ++v)
    CHECK(row_map(rows.row(v), false) == row_map(before.row(v), false));
  REQUIRE(findings.size() == 3);
  CHECK(findings[2].code == "mirror-without-twin");
  CHECK(findings[2].message.starts_with("joint 'R' has a twin that may not own weight, 'L': "));
}

TEST_CASE("a vertex that no triangle has does not change the tolerance") {
  SceneWeights weights;
  Scene scene = two_sides(weights);
  SceneMesh& mesh = scene.meshes[0];
  for (std::uint32_t v = 0; v + 3 < 2 * pair_count; v += 2)
    mesh.triangles.push_back({v, v + 1, v + 2});
  mesh.triangles.push_back({2 * pair_count - 2, 2 * pair_count - 1, 0});
  SceneWeights stray = weights;
  mesh.positions.back() = {0.05, 0.05, 500.0};
  mirror(scene, weights, Mirror::x, {});
  mesh.positions.back() = {0.05, 0.05, 1.0};
  mirror(scene, stray, Mirror::x, {});
  CHECK(weights.meshes[0].joint == stray.meshes[0].joint);
  CHECK(weights.meshes[0].weight == stray.meshes[0].weight);
}

TEST_CASE("vertices that a rule gives to a joint are not mirrored") {
  SceneWeights weights;
  Scene scene = two_sides(weights);
  scene.meshes[0].assigned_joint.assign(scene.meshes[0].positions.size(), -1);
  scene.meshes[0].assigned_joint[3] = 2;
  const SkinWeights before = weights.meshes[0];
  mirror(scene, weights, Mirror::x, {});
  for (const std::size_t v : {2u, 3u})
    CHECK(row_map(weights.meshes[0].row(v), false) == row_map(before.row(v), false));
  CHECK(row_map(weights.meshes[0].row(4), false) != row_map(before.row(4), false));
}

TEST_CASE("mirrored rows have no joint that is forbidden beside their owner, and are still equal") {
  SceneWeights weights;
  const Scene scene = two_sides(weights);
  BindOptions options;
  options.rules.forbidden = {{{1}, {2}}};
  // The mean of one side's left row and the other's left row has two owners.
  weights.meshes[0].joint = {};
  weights.meshes[0].weight = {};
  weights.meshes[0].first = {0};
  for (std::uint32_t v = 0; v <= 2 * pair_count; ++v) {
    weights.meshes[0].joint.push_back(1 + (v / 2) % 2);
    weights.meshes[0].weight.push_back(1.0f);
    weights.meshes[0].first.push_back(v + 1);
  }
  mirror(scene, weights, Mirror::x, options);
  for (std::size_t v = 0; v < 2 * pair_count; ++v) {
    REQUIRE(weights.meshes[0].row(v).size() == 1);
    CHECK(weights.meshes[0].row(v)[0].weight == 1.0f);
    CHECK(row_map(weights.meshes[0].row(v), false) == row_map(weights.meshes[0].row(v ^ 1), true));
  }
}

TEST_CASE("mirrored rows keep to the joints of a region") {
  SceneWeights weights;
  const Scene scene = two_sides(weights);
  BindOptions options;
  Primitive right_half;
  right_half.kind = Primitive::Kind::box;
  right_half.a = Eigen::Vector3d(-9, -9, -9);
  right_half.b = Eigen::Vector3d(0, 9, 9);
  options.rules.regions = {{{0}, right_half}};
  mirror(scene, weights, Mirror::x, options);
  for (std::size_t v = 1; v < 2 * pair_count; v += 2)
    CHECK(row_map(weights.meshes[0].row(v), false) == std::map<std::uint32_t, float>{{0, 1.0f}});
  CHECK(weights.meshes[0].row(0).size() == 3);
}

TEST_CASE("a scene without symmetry is left alone") {
  SceneWeights weights;
  Scene scene = two_sides(weights);
  const SkinWeights before = weights.meshes[0];
  CHECK(mirror(scene, weights, Mirror::off, {}).empty());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (Eigen::Vector3d& p : scene.meshes[0].positions) p = {any(random), any(random), any(random)};
  for (SceneJoint& joint : scene.joints)
    joint.bind.translation() = Eigen::Vector3d(any(random), any(random), any(random));
  scene.joints.resize(4);
  const Findings findings = mirror(scene, weights, Mirror::automatic, {});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "mirror-refused");
  CHECK(weights.meshes[0].weight == before.weight);
}
