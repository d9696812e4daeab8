#include "check/judge_bind.h"

#include <catch2/catch.hpp>

#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Row;
using test::smooth_row;
using test::trousers;

/// The left foot follows the right thigh.
Row other_leg(double s, const Vector3d&) { return s < 0.3 ? Row{{4, 1.0f}} : smooth_row(s); }

SceneWeights weights_of(const Scene& scene) {
  SceneWeights weights;
  for (const SceneMesh& mesh : scene.meshes) weights.meshes.push_back(mesh.weights);
  return weights;
}

check::SkinFigures some_figures() {
  check::SkinFigures figures;
  figures.bleed = 0.04, figures.stretch = 2.0, figures.far_surface = 0.02, figures.far_joint = 0.08;
  return figures;
}

}  // namespace

TEST_CASE("a bind is judged as a check of its output judges it") {
  const Scene bound = trousers(other_leg);
  const check::BindJudgement judgement = check::judge_bind(trousers(), weights_of(bound));
  const check::SkinFigures expected = check::figures_of(check::check_scene(bound));
  CHECK(judgement.figures.bleed == expected.bleed);
  CHECK(judgement.figures.stretch == expected.stretch);
  CHECK(judgement.figures.far_surface == expected.far_surface);
  CHECK(judgement.figures.far_joint == expected.far_joint);
  REQUIRE(!judgement.findings.empty());
  CHECK(std::ranges::count(judgement.findings, "far-joint", &Finding::code) == 1);
}

TEST_CASE("the weights of the input are judged beside the new ones") {
  const Scene before = trousers(), bound = trousers(other_leg);
  const check::BindJudgement judgement = check::judge_bind(before, weights_of(bound));
  REQUIRE(judgement.comparison);
  const check::SkinComparison& comparison = *judgement.comparison;
  CHECK(comparison.before.stretch == check::check_scene(before).stretch.p99);
  CHECK(comparison.now.stretch == check::check_scene(bound).stretch.p99);
  CHECK(comparison.verdict == check::SkinVerdict::worse);
  const auto worse = std::ranges::find(judgement.findings, "worse-than-before", &Finding::code);
  REQUIRE(worse != judgement.findings.end());
  CHECK(worse->severity == Severity::note);
  CHECK(worse->message.find("far joint") != std::string::npos);

  const check::BindJudgement back = check::judge_bind(bound, weights_of(before));
  CHECK(back.comparison->verdict == check::SkinVerdict::better);
  CHECK(back.findings.empty());
}

TEST_CASE("the same weights change nothing and are equal") {
  const Scene scene = trousers();
  const check::BindJudgement judgement = check::judge_bind(scene, weights_of(scene));
  REQUIRE(judgement.comparison);
  CHECK(judgement.comparison->vertices == scene.meshes[0].positions.size());
  CHECK(judgement.comparison->changed == 0.0);
  CHECK(judgement.comparison->mean_l1 == Approx(0.0).margin(1e-6));
  CHECK(judgement.comparison->verdict == check::SkinVerdict::equal);
}

TEST_CASE("changed vertices and the distance of their weights are counted") {
  Scene before = trousers([](double, const Vector3d&) { return Row{{1, 1.0f}}; });
  Scene after = before;
  const std::size_t count = before.meshes[0].positions.size();
  std::vector<Row> rows(count, Row{{1, 0.75f}, {4, 0.25f}});
  rows[0] = {{4, 1.0f}};
  after.meshes[0].weights = {};
  for (const Row& row : rows) test::add_row(after.meshes[0].weights, row);
  const check::SkinComparison comparison = *check::judge_bind(before, weights_of(after)).comparison;
  const auto n = static_cast<double>(count);
  CHECK(comparison.changed == Approx(1.0 / n));
  CHECK(comparison.mean_l1 == Approx((0.5 * (n - 1.0) + 2.0) / n));
}

TEST_CASE("without weights in the input there is nothing to compare with") {
  Scene bare = trousers();
  const SceneWeights weights = weights_of(bare);
  bare.meshes[0].weights = {};
  bare.meshes[0].skin_joints.clear();
  const check::BindJudgement judgement = check::judge_bind(bare, weights);
  CHECK(!judgement.comparison);
  CHECK(judgement.figures.stretch == check::check_scene(trousers()).stretch.p99);
}

TEST_CASE("meshes that had no weights are judged, and left out of the comparison") {
  Scene scene = trousers();
  scene.meshes.push_back(trousers(other_leg).meshes[0]);
  for (Vector3d& p : scene.meshes[1].positions) p.x() += 3.0;
  const SceneWeights weights = weights_of(scene);
  scene.meshes[1].weights = {};
  scene.meshes[1].skin_joints.clear();
  const check::BindJudgement judgement = check::judge_bind(scene, weights);
  REQUIRE(judgement.comparison);
  CHECK(judgement.comparison->vertices == scene.meshes[0].positions.size());
  CHECK(judgement.comparison->verdict == check::SkinVerdict::equal);
  CHECK(judgement.figures.far_joint > judgement.comparison->now.far_joint);
}

TEST_CASE("vertices that keep their rows are judged with them") {
  const Scene scene = trousers();
  SceneWeights weights;
  weights.meshes.resize(1);
  weights.fills = {true};
  const std::size_t count = scene.meshes[0].positions.size();
  for (std::size_t v = 0; v < count; ++v)
    test::add_row(weights.meshes[0], v == 3 ? Row{{4, 1.0f}} : Row{});
  const check::BindJudgement judgement = check::judge_bind(scene, weights);
  CHECK(judgement.figures.without_weight == 0);
  CHECK(judgement.comparison->changed == Approx(1.0 / static_cast<double>(count)));
}

TEST_CASE("a figure may grow by its tolerance before the skin counts as worse") {
  const check::SkinFigures before = some_figures();
  CHECK(check::compare_figures(before, before).verdict == check::SkinVerdict::equal);
  check::SkinFigures now = before;
  now.bleed += 0.0099, now.stretch += 0.49, now.far_surface += 0.0049, now.far_joint += 0.0199;
  CHECK(check::compare_figures(before, now).verdict == check::SkinVerdict::equal);
  now = before;
  now.stretch += 0.51;
  CHECK(check::compare_figures(before, now).verdict == check::SkinVerdict::worse);
  CHECK(check::compare_figures(before, now).worse_in == std::vector<std::string>{"stretch"});
  CHECK(check::compare_figures(now, before).verdict == check::SkinVerdict::better);
}

TEST_CASE("better in one figure does not outweigh worse in another") {
  const check::SkinFigures before = some_figures();
  check::SkinFigures now = before;
  now.bleed = 0.0;
  now.without_weight = 1;
  const check::SkinComparison comparison = check::compare_figures(before, now);
  CHECK(comparison.verdict == check::SkinVerdict::worse);
  CHECK(comparison.worse_in == std::vector<std::string>{"without_weight"});
}

}  // namespace gvbind
