#include "check/skin_difference.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "preview/tube.h"

namespace gvbind {
namespace {

using test::tube;

SkinWeights weights_of(const std::vector<std::vector<Influence>>& rows) {
  SkinWeights weights;
  for (const auto& row : rows) {
    for (const Influence entry : row) {
      weights.joint.push_back(entry.joint);
      weights.weight.push_back(entry.weight);
    }
    weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
  }
  return weights;
}

/// The tube with random rows of up to four joints, not normalized.
Scene random_rows(unsigned seed) {
  Scene scene = tube();
  std::vector<std::vector<Influence>> rows(scene.meshes[0].positions.size());
  for (auto& row : rows)
    for (std::uint32_t j = 0; j < 3; ++j) {
      seed = seed * 1664525U + 1013904223U;
      if (seed >> 30 != 0 || row.empty())
        row.push_back({j, 0.6F + static_cast<float>(seed >> 16) / 65536.0F});
    }
  scene.meshes[0].weights = weights_of(rows);
  return scene;
}

/// The sum over joints of |w - w*|, from dense rows.
double slow_l1(const Scene& a, const Scene& b) {
  double total = 0.0;
  const std::size_t count = a.meshes[0].positions.size();
  for (std::size_t v = 0; v < count; ++v) {
    std::vector<double> x(a.joints.size()), y(x);
    double sum_x = 0.0, sum_y = 0.0;
    for (const Influence e : a.meshes[0].weights.row(v)) x[e.joint] += e.weight, sum_x += e.weight;
    for (const Influence e : b.meshes[0].weights.row(v)) y[e.joint] += e.weight, sum_y += e.weight;
    for (std::size_t j = 0; j < x.size(); ++j) total += std::abs(x[j] / sum_x - y[j] / sum_y);
  }
  return total / static_cast<double>(count);
}

}  // namespace

TEST_CASE("a skin is no distance from itself") {
  const check::SkinDifference same = check::compare_skins(tube(), tube());
  CHECK(same.vertices == tube().meshes[0].positions.size());
  CHECK(same.l1 == 0.0);
  CHECK(same.mean_distance == 0.0);
  CHECK(same.max_distance == 0.0);
}

TEST_CASE("L1 is that of dense rows, whatever the rows sum to") {
  const Scene a = random_rows(1), b = random_rows(2);
  const check::SkinDifference apart = check::compare_skins(a, b);
  CHECK(apart.l1 == Approx(slow_l1(a, b)).epsilon(1e-6));
  double sum = 0.0;
  for (const float half : apart.per_vertex[0]) sum += 2.0 * half;
  CHECK(sum / static_cast<double>(apart.vertices) == Approx(apart.l1).epsilon(1e-5));
  CHECK(apart.mean_distance > 0.0);
  CHECK(apart.max_distance >= apart.mean_distance);
}

TEST_CASE("weights on other joints altogether are 2 apart") {
  Scene a = tube(), b = tube();
  for (std::uint32_t& joint : a.meshes[0].weights.joint) joint = 0;
  for (std::uint32_t& joint : b.meshes[0].weights.joint) joint = 2;
  CHECK(check::compare_skins(a, b).l1 == Approx(2.0));
}

TEST_CASE("vertices with weight in the reference only count 1, in the other only are ignored") {
  const Scene whole = tube(), bare = [] {
    Scene scene = tube();
    scene.meshes[0].weights = weights_of(std::vector<std::vector<Influence>>(
        scene.meshes[0].positions.size(), std::vector<Influence>()));
    return scene;
  }();
  CHECK(check::compare_skins(bare, whole).l1 == Approx(1.0));
  CHECK(check::compare_skins(whole, bare).vertices == 0);
}

TEST_CASE("distances do not depend on the unit, and grow with the turn") {
  const Scene a = random_rows(1), b = random_rows(2);
  Scene large_a = a, large_b = b;
  for (Scene* scene : {&large_a, &large_b}) {
    for (Eigen::Vector3d& p : scene->meshes[0].positions) p *= 100.0;
    for (SceneJoint& joint : scene->joints) joint.bind.translation() *= 100.0;
  }
  const check::SkinDifference apart = check::compare_skins(a, b);
  CHECK(check::compare_skins(large_a, large_b).mean_distance == Approx(apart.mean_distance));
  CHECK(check::compare_skins(a, b, {10, 10.0}).mean_distance < 0.5 * apart.mean_distance);
  CHECK(check::compare_skins(a, b, {10, 0.0}).mean_distance == Approx(0.0).margin(1e-9));
}

}  // namespace gvbind
