#include "motion/refine_cells.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "gvbind/base/parallel.h"
#include "motion/cell_fit.h"
#include "support/shapes.h"

namespace gvbind {
namespace {

/// A tube of three bones along y; weights blend over a length of 1, perturbed by `uneven`.
Scene bent_tube(double uneven, int around = 16, int along = 36) {
  Scene scene;
  for (int j = 0; j < 3; ++j) {
    SceneJoint joint;
    joint.name = std::string("bone") + static_cast<char>('0' + j);
    joint.parent = j - 1;
    joint.bind = Eigen::Translation3d(0, 2.0 * j, 0);
    scene.joints.push_back(joint);
  }
  SceneMesh mesh;
  const test::Shape shape = test::capsule({0, 0, 0}, {0, 6, 0}, 0.6, around, along);
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  mesh.skin_joints = {0, 1, 2};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const double y = mesh.positions[v].y();
    const std::uint32_t joint = y < 3.0 ? 0 : 1;
    const double blend = std::clamp(y - (2.0 * joint + 1.5), 0.0, 1.0);
    const double upper =
        blend + uneven * (v % 2 == 0 ? 1.0 : -1.0) * (1.0 - std::abs(2.0 * blend - 1.0));
    for (const auto& [j, w] : {std::pair{joint, 1.0 - upper}, std::pair{joint + 1, upper}}) {
      if (!(w > 0.0)) continue;
      mesh.weights.joint.push_back(j);
      mesh.weights.weight.push_back(static_cast<float>(w));
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  scene.meshes.push_back(mesh);
  return scene;
}

motion::RefineOptions short_options() {
  motion::RefineOptions options;
  options.poses = 8;
  options.rounds = 2;
  options.max_influences = 2;
  return options;
}

double mean_difference(const SkinWeights& a, const SkinWeights& b) {
  double sum = 0.0;
  for (std::size_t v = 0; v < a.vertex_count(); ++v) {
    std::vector<double> off(16, 0.0);
    for (const Influence& entry : a.row(v)) off[entry.joint] += double{entry.weight};
    for (const Influence& entry : b.row(v)) off[entry.joint] -= double{entry.weight};
    for (const double d : off) sum += std::abs(d);
  }
  return sum / static_cast<double>(a.vertex_count());
}

TEST_CASE("descent finds the weights of a tube") {
  const Scene scene = bent_tube(0.0);
  const check::SkinSurface surface = check::skin_surface(scene);
  motion::CellStart start = motion::cells_of_skin(surface, scene.joints, {}, 2000, 2);
  REQUIRE(start.cells.count() == 3);
  CHECK(start.samples.size() == surface.vertex_count());
  motion::CellProblem problem;
  problem.samples = start.samples;
  problem.reach = start.reach;
  problem.weights.regularization = 1.0;
  const double before =
      mean_difference(motion::cell_weights(start.cells, surface.positions, 2), surface.weights);
  const std::vector<double> losses =
      motion::descend(start.cells, problem, {.count = 300, .margin = 1.0});
  REQUIRE(losses.size() == 300);
  CHECK(losses.back() < 0.1 * losses.front());
  const double after =
      mean_difference(motion::cell_weights(start.cells, surface.positions, 2), surface.weights);
  CHECK(after < 0.5 * before);
  CHECK(after < 0.06);
}

TEST_CASE("few samples stand for a dense skin, the same ones each time") {
  const Scene scene = bent_tube(0.0, 64, 144);
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::CellStart start = motion::cells_of_skin(surface, scene.joints, {}, 300, 2);
  CHECK(start.samples.size() > 250);
  CHECK(start.samples.size() <= 301);
  double mass = 0.0;
  for (const motion::CellSample& sample : start.samples) mass += sample.mass;
  CHECK(mass == Approx(1.0));
  for (std::uint32_t j = 0; j < 3; ++j)
    CHECK(std::ranges::count_if(start.samples, [&](const motion::CellSample& sample) {
            return surface.dominant[sample.vertex] == j;
          }) > 30);
  CHECK(std::ranges::count_if(start.samples, &motion::CellSample::has_spring) > 100);
}

TEST_CASE("cells move better in poses that the fit has not seen") {
  const Scene scene = bent_tube(0.25);
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::RefinedCells made =
      motion::refine_cells(surface, scene.joints, {}, short_options());
  REQUIRE(made.refined.taken == 1.0);
  CHECK(made.refined.after.mush < 0.7 * made.refined.before.mush);
  CHECK(made.refined.after.volume <= 1.01 * made.refined.before.volume);
  CHECK(made.refined.after.stretch <= 1.01 * made.refined.before.stretch);
  CHECK(made.refined.moved == surface.vertex_count());
  REQUIRE(made.cells.count() == 3);
  CHECK(made.cells.joints[1].name == "bone1");
  CHECK(mean_difference(motion::cell_weights(made.cells, surface.positions, 2),
                        made.refined.weights) < 1e-6);

  SECTION("and weigh a coarser tube nearly as the body") {
    const check::SkinSurface coarse = check::skin_surface(bent_tube(0.0, 12, 18));
    const SkinWeights rows = motion::cell_weights(made.cells, coarse.positions, 2);
    CHECK(mean_difference(rows, coarse.weights) < 0.25);
  }
}

TEST_CASE("cells keep fixed vertices fixed") {
  const Scene scene = bent_tube(0.25);
  const check::SkinSurface surface = check::skin_surface(scene);
  motion::RefineOptions options = short_options();
  options.held.assign(surface.vertex_count(), false);
  for (std::size_t v = 0; v < 100; ++v) options.held[v] = true;
  const motion::RefinedCells made = motion::refine_cells(surface, scene.joints, {}, options);
  REQUIRE(made.refined.taken > 0.0);
  for (std::size_t v = 0; v < 100; ++v) {
    const WeightRow before = surface.weights.row(v), after = made.refined.weights.row(v);
    REQUIRE(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(before[i].weight == after[i].weight);
  }
}

TEST_CASE("one joint, or none, is no fault") {
  Scene scene = bent_tube(0.0);
  scene.meshes[0].weights = {};
  const check::SkinSurface bare = check::skin_surface(scene);
  CHECK(motion::refine_cells(bare, scene.joints, {}, short_options()).cells.count() == 0);
  for (std::size_t v = 0; v < scene.meshes[0].positions.size(); ++v) {
    scene.meshes[0].weights.joint.push_back(1);
    scene.meshes[0].weights.weight.push_back(1.0f);
    scene.meshes[0].weights.first.push_back(static_cast<std::uint32_t>(v + 1));
  }
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::RefinedCells made =
      motion::refine_cells(surface, scene.joints, {}, short_options());
  CHECK(made.refined.taken == 0.0);
  REQUIRE(made.cells.count() == 1);
  const SkinWeights rows = motion::cell_weights(made.cells, surface.positions, 4);
  CHECK(rows.row(0).size() == 1);
}

TEST_CASE("cells are the same on any number of threads", "[threads]") {
  const Scene scene = bent_tube(0.25);
  const check::SkinSurface surface = check::skin_surface(scene);
  motion::RefinedCells one, two;
  with_threads(1, {},
               [&] { one = motion::refine_cells(surface, scene.joints, {}, short_options()); });
  with_threads(2, {},
               [&] { two = motion::refine_cells(surface, scene.joints, {}, short_options()); });
  CHECK(one.cells.numbers == two.cells.numbers);
  CHECK(one.refined.weights.weight == two.refined.weights.weight);
}

}  // namespace
}  // namespace gvbind
