#include "fit/character_samples.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "bind/bind_scene.h"
#include "gvbind/fitted/pair_features.h"
#include "support/shapes.h"

using namespace gvbind;

namespace {

/// An arm of four joints with falloff weights.
Scene arm() {
  Scene scene;
  const test::Shape shape = test::capsule({0, 0, 0}, {4, 0, 0}, 0.4, 12, 24);
  SceneMesh& mesh = scene.meshes.emplace_back();
  mesh.name = "Arm";
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  for (int j = 0; j < 4; ++j) {
    SceneJoint& joint = scene.joints.emplace_back();
    joint.name = "joint" + std::to_string(j);
    joint.parent = j - 1;
    joint.bind.translation() = Eigen::Vector3d(j, 0, 0);
    mesh.skin_joints.push_back(j);
  }
  BindOptions options;
  options.resolution = 32;
  options.device = Device::cpu;
  options.weights = WeightRule::falloff;
  mesh.weights = bind_scene(scene, options).weights.meshes[0];
  return scene;
}

fit::SampleOptions small() {
  fit::SampleOptions options;
  options.resolution = 32;
  options.vertices = 60;
  return options;
}

void scale_weights(SkinWeights& weights, float factor) {
  for (float& weight : weights.weight) weight *= factor;
}

}  // namespace

TEST_CASE("samples hold the features of a character's vertices and their own weights") {
  const fit::CharacterSamples samples = fit::samples_of(arm(), small());
  const fit::SampleSet& set = samples.whole;
  CHECK(set.vertex_count() == 60);
  CHECK(set.features.size() == set.own.size() * pair_feature_count);
  CHECK(set.first.back() == set.own.size());
  for (std::size_t v = 0; v < set.vertex_count(); ++v) {
    const auto own = std::span(set.own).subspan(set.first[v], set.pair_count(v));
    CHECK(std::accumulate(own.begin(), own.end(), set.elsewhere[v]) == Approx(1.0f));
  }
  CHECK(set.falloff_l1 < 1e-3);  // its weights come from the falloff
  CHECK(samples.reduced.vertex_count() == 60);
}

TEST_CASE("own weights that do not sum to one are scaled to it") {
  Scene scene = arm();
  const fit::SampleSet whole = fit::samples_of(scene, small()).whole;
  for (const float factor : {0.5f, 4.0f}) {  // together twice the first weights
    scale_weights(scene.meshes[0].weights, factor);
    const fit::SampleSet scaled = fit::samples_of(scene, small()).whole;
    REQUIRE(scaled.own.size() == whole.own.size());
    for (std::size_t i = 0; i < whole.own.size(); ++i)
      CHECK(scaled.own[i] == Approx(whole.own[i]).margin(1e-5));
  }
}

TEST_CASE("only vertices with sound weights are learned from") {
  Scene scene = arm();
  SkinWeights& weights = scene.meshes[0].weights;
  for (std::size_t i = 0; i < weights.first[100]; ++i) weights.weight[i] *= 0.05f;
  for (std::uint32_t v = 100; v < 120; ++v) scene.meshes[0].damaged_vertices.push_back(v);
  fit::SampleOptions options = small();
  options.vertices = 100000;
  CHECK(fit::samples_of(scene, options).whole.vertex_count() == weights.vertex_count() - 120);
}

TEST_CASE("the same seed draws the same vertices and joints, another one others") {
  const Scene scene = arm();
  fit::SampleOptions options = small();
  const fit::CharacterSamples a = fit::samples_of(scene, options),
                              b = fit::samples_of(scene, options);
  CHECK(a.whole.features == b.whole.features);
  CHECK(a.reduced.own == b.reduced.own);
  options.seed = 1;
  CHECK(fit::samples_of(scene, options).whole.features != a.whole.features);
}

TEST_CASE("a joint that is taken out is stood for by its parent, a root never goes") {
  std::vector<Joint> joints = {
      {{0, 0, 0}, -1}, {{1, 0, 0}, 0}, {{2, 0, 0}, 1}, {{3, 0, 0}, 2}, {{9, 0, 0}, -1}};
  const fit::ReducedSkeleton reduced =
      fit::reduce_skeleton(joints, {true, true, true, false, true});
  CHECK(reduced.kept_as == std::vector<std::uint32_t>{0, 0, 0, 1, 2});
  REQUIRE(reduced.joints.size() == 3);
  CHECK(reduced.joints[1].position.x() == 3);
  CHECK(reduced.joints[1].parent == 0);
  CHECK(reduced.joints[2].parent == -1);
}

TEST_CASE("characters whose weights are no example are left out with the reason") {
  Scene scene = arm();
  CHECK(fit::why_unfit(scene).empty());
  scale_weights(scene.meshes[0].weights, 0.05f);
  CHECK(fit::why_unfit(scene) == "only 0 vertices (0 %) have sound weights");
  scene = arm();
  const std::size_t count = scene.meshes[0].positions.size();
  for (std::uint32_t v = 0; v < 0.75 * static_cast<double>(count); ++v)
    scene.meshes[0].damaged_vertices.push_back(v);
  CHECK(fit::why_unfit(scene).find("(25 %) have sound weights") != std::string::npos);
  scene.meshes[0].weights = {};
  CHECK(fit::why_unfit(scene) == "has no skin");
}
