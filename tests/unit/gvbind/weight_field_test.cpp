#include "gvbind/weight_field.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "gvbind/reference_bind.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

MeshView view_of(const Figure& f) { return {f.shape.positions, f.shape.triangles}; }

BindOptions on_cpu() {
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  options.max_influences = 8;
  return options;
}

bool same(const SkinWeights& a, const SkinWeights& b) {
  return a.first == b.first && a.joint == b.joint && a.weight == b.weight;
}

/// A body with a separate button that contains no bone.
Figure figure_with_button() {
  Figure f = figure();
  const Eigen::Vector3d at = f.shape.positions[20] * 1.02;
  const Eigen::Vector3d size = Eigen::Vector3d::Constant(0.03);
  f.shape.append(box(at, at + size));
  return f;
}

}  // namespace

TEST_CASE("a field gives the weights of a bind, with any falloff", "[slow]") {
  for (const Figure& f : {figure(), figure_with_button()}) {
    const WeightField field = WeightField::build(view_of(f), f.joints, on_cpu());
    for (const double alpha : {0.1, 0.4, 1.0}) {
      BindOptions options = on_cpu();
      options.alpha = alpha;
      CHECK(same(field.at_vertices({alpha, options.max_influences}),
                 bind_skin(view_of(f), f.joints, options).weights));
    }
    CHECK(field.statistics().sparse_voxels > 0);
  }
}

TEST_CASE("a field takes all of a falloff, of either way of weighing") {
  const Figure f = figure();
  for (const WeightRule weights : {WeightRule::falloff, WeightRule::fitted}) {
    BindOptions options = on_cpu();
    options.weights = weights;
    const WeightField field = WeightField::build(view_of(f), f.joints, options);
    options.alpha = 0.2;
    options.prune = 0.05;
    for (const FalloffRule rule : {FalloffRule::paper, FalloffRule::note}) {
      options.falloff = rule;
      options.rules.alphas = {{{1}, 0.9}};
      const SkinWeights bound = bind_skin(view_of(f), f.joints, options).weights;
      CHECK(same(field.at_vertices(falloff_of(options)), bound));
      CHECK_FALSE(same(field.at_vertices({options.alpha, options.max_influences}), bound));
    }
  }
}

TEST_CASE("a field refuses a falloff out of range and a point that is none") {
  const Figure f = figure();
  const WeightField field = WeightField::build(view_of(f), f.joints, on_cpu());
  for (const Falloff& falloff : {Falloff{NAN, 4}, Falloff{2.0, 4}, Falloff{0.4, -1},
                                 Falloff{0.4, 4, NAN}, Falloff{.joint_alphas = {{{999}, 0.5}}}}) {
    CHECK_THROWS_AS(field.at_vertices(falloff), Error);
    CHECK_THROWS_AS(field.at(f.shape.positions, falloff), Error);
  }
  CHECK_THROWS_AS(field.at(std::vector{Eigen::Vector3d(NAN, 0, 0)}), Error);
}

TEST_CASE("at its own vertices a field gives the rows of the vertices, of few joints too") {
  for (const Figure& f : {figure(), figure_with_button()}) {
    const WeightField field = WeightField::build(view_of(f), f.joints, on_cpu());
    for (const Falloff& falloff : {Falloff{0.1, 8}, Falloff{0.4, 4}, Falloff{1.0, 2}}) {
      const SkinWeights rows = field.at_vertices(falloff);
      CHECK(same(field.at(f.shape.positions, falloff), rows));
      for (std::size_t v = 0; v < rows.vertex_count(); ++v)
        CHECK(rows.row(v).size() <= static_cast<std::size_t>(falloff.max_influences));
    }
  }
}

TEST_CASE("a field weighs other points in between, and belongs to whoever is nearest") {
  const Figure f = figure_with_button();
  const WeightField field = WeightField::build(view_of(f), f.joints, on_cpu());
  const SkinWeights rows = field.at_vertices();
  // The button's center has the dominant joint of its corners together.
  const std::size_t corner = f.shape.positions.size() - 8;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  std::map<std::uint32_t, float> of_corners;
  for (std::size_t k = 0; k < 8; ++k) {
    middle += f.shape.positions[corner + k] / 8.0;
    for (const auto& [joint, weight] : rows.row(corner + k)) of_corners[joint] += weight;
  }
  const auto most = std::ranges::max_element(of_corners, {},
                                             [](const auto& of_joint) { return of_joint.second; });
  const SkinWeights button = field.at(std::vector{middle});
  REQUIRE_FALSE(button.row(0).empty());
  CHECK(button.row(0)[0].joint == most->first);
  // Points off the mesh also have rows that sum to one.
  const std::vector<Eigen::Vector3f> anywhere = {{0, 0, 0}, {100, 0, 0}, {0.1f, 0.9f, 0.05f}};
  const SkinWeights free = field.at(anywhere);
  for (std::size_t p = 0; p < anywhere.size(); ++p) {
    float sum = 0.0f;
    for (const auto& [joint, weight] : free.row(p)) sum += weight;
    CHECK(sum == Approx(1.0f).margin(1e-5));
  }
  CHECK(field.at(std::vector<Eigen::Vector3d>{}).empty());
}

TEST_CASE("a field refuses the same input as a bind") {
  const Figure f = figure();
  BindOptions options = on_cpu();
  options.resolution = 100;
  CHECK_THROWS_AS(WeightField::build(view_of(f), f.joints, options), Error);
}
