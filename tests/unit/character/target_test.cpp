#include "character/target.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace gvbind {
namespace {

SkinWeights rows_of(const std::vector<std::vector<Influence>>& rows) {
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

/// A row of each size up to 12, from a fixed sequence.
SkinWeights mixed_rows() {
  std::vector<std::vector<Influence>> rows;
  std::uint32_t seed = 1;
  for (std::uint32_t count = 0; count <= 12; ++count) {
    rows.emplace_back();
    for (std::uint32_t j = 0; j < count; ++j) {
      seed = seed * 1664525U + 1013904223U;
      rows.back().push_back({j, 0.001F + static_cast<float>(seed >> 8) / 16777216.0F});
    }
  }
  return rows_of(rows);
}

/// A mesh with one vertex per joint, which it follows; the first vertex has `influences` joints.
Scene mesh_of(std::uint32_t joints, std::uint32_t influences) {
  std::vector<std::vector<Influence>> rows(joints);
  for (std::uint32_t j = 0; j < joints; ++j) rows[j] = {{j, 1.0F}};
  rows[0].clear();
  for (std::uint32_t j = 0; j < influences; ++j)
    rows[0].push_back({j, 1.0F / static_cast<float>(influences)});
  Scene scene;
  scene.joints.resize(joints);
  scene.meshes.resize(1);
  scene.meshes[0].name = "coat";
  scene.meshes[0].weights = rows_of(rows);
  return scene;
}

Findings findings_of(Target target, const Scene& scene, bool kept) {
  SceneWeights weights;
  weights.meshes = {kept ? SkinWeights() : scene.meshes[0].weights};
  Findings findings;
  fit_to_target(target, scene, weights, findings);
  return findings;
}

}  // namespace

TEST_CASE("rounded weights are whole steps that sum to one, each within one step of its share") {
  const SkinWeights weights = mixed_rows();
  for (const int steps : {1, 4, 255, 65535}) {
    const SkinWeights rounded = rounded_weights(weights, steps);
    REQUIRE(rounded.vertex_count() == weights.vertex_count());
    CHECK(rounded.row(0).empty());
    for (std::size_t v = 1; v < weights.vertex_count(); ++v) {
      double sum = 0.0;
      for (const Influence entry : weights.row(v)) sum += entry.weight;
      int total = 0;
      float last = 2.0F;
      for (const Influence entry : rounded.row(v)) {
        const double whole = static_cast<double>(entry.weight) * steps;
        CHECK(std::abs(whole - std::round(whole)) < 1e-2);
        CHECK(std::abs(whole - weights.row(v)[entry.joint].weight / sum * steps) < 1.01);
        CHECK(entry.weight <= last);
        CHECK(std::round(whole) >= 1);
        last = entry.weight;
        total += static_cast<int>(std::round(whole));
      }
      CHECK(total == steps);
    }
  }
}

TEST_CASE("equal weights round to the same on every machine, ties to the lower joint") {
  const SkinWeights rounded =
      rounded_weights(rows_of({{{5, 0.5F}, {2, 0.5F}}, {{1, 1.0F}, {0, 1.0F}, {2, 1.0F}}}), 255);
  CHECK(rounded.row(0)[0].joint == 5);
  CHECK(rounded.row(0)[0].weight == 128.0F / 255.0F);
  CHECK(rounded.row(1)[0].joint == 0);
  CHECK(rounded.row(1)[2].weight == 85.0F / 255.0F);
}

TEST_CASE("a target that stores floats gets the weights as they are") {
  const Scene scene = mesh_of(5, 4);
  SceneWeights weights;
  weights.meshes = {scene.meshes[0].weights};
  Findings findings;
  fit_to_target(Target::three, scene, weights, findings);
  CHECK(weights.meshes[0].weight == scene.meshes[0].weights.weight);
  fit_to_target(Target::unreal, scene, weights, findings);
  CHECK(weights.meshes[0].weight != scene.meshes[0].weights.weight);
  CHECK(findings.empty());
}

TEST_CASE("a mesh of more joints than the target takes is a finding") {
  CHECK(findings_of(Target::mobile, mesh_of(75, 1), false).empty());
  const Findings found = findings_of(Target::mobile, mesh_of(76, 1), false);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "target-joints");
  CHECK(found[0].pointer == "coat");
  CHECK(findings_of(Target::unreal, mesh_of(256, 1), false).empty());
  CHECK(findings_of(Target::unreal, mesh_of(257, 1), false).size() == 1);
  CHECK(findings_of(Target::three, mesh_of(1000, 1), false).empty());
  CHECK(findings_of(Target::none, mesh_of(1000, 9), true).empty());
}

TEST_CASE("kept weights of more joints per vertex than the target reads are a finding") {
  const Findings found = findings_of(Target::vrm, mesh_of(9, 5), true);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "target-influences");
  CHECK(findings_of(Target::babylon, mesh_of(9, 8), true).empty());
  CHECK(findings_of(Target::babylon, mesh_of(9, 9), true).size() == 1);
}

}  // namespace gvbind
