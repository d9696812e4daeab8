#include "motion/layers.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "motion/bent_tube.h"
#include "support/shapes.h"

namespace gvbind {
namespace {

constexpr double gap = 0.02;

/// A tube with a coat around it; both blend between joints, the coat more sharply.
Scene coated_tube() {
  Scene scene;
  scene.joints = {test::joint_at("root", -1, 0), test::joint_at("bend", 0, 2)};
  SceneMesh mesh;
  mesh.skin_joints = {0, 1};
  test::Shape shape = test::capsule({0, 0, 0}, {0, 4, 0}, 0.5, 24, 64);
  const std::size_t body = shape.positions.size();
  shape.append(test::capsule({0, 0, 0}, {0, 4, 0}, 0.5 + gap, 24, 64));
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const double blend = v < body ? 1.0 : 0.5;
    const double upper = std::clamp((mesh.positions[v].y() - 2.0) / blend + 0.5, 0.0, 1.0);
    for (const auto& [joint, w] : {std::pair{0u, 1.0 - upper}, std::pair{1u, upper}}) {
      if (!(w > 0.0)) continue;
      mesh.weights.joint.push_back(joint);
      mesh.weights.weight.push_back(static_cast<float>(w));
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  scene.meshes.push_back(mesh);
  return scene;
}

double radius(const Eigen::Vector3d& p) {
  const double past = p.y() - std::clamp(p.y(), 0.0, 4.0);
  return std::hypot(p.x(), p.z(), past);
}

TEST_CASE("a coat is the outer layer of the body below it") {
  const check::SkinSurface surface = check::skin_surface(coated_tube());
  const std::vector<motion::Layer> layers = motion::layers_of(surface);
  REQUIRE(layers.size() > surface.vertex_count() / 4);
  for (const motion::Layer& layer : layers) {
    CHECK(radius(surface.positions[layer.outer]) > radius(surface.positions[layer.inner]));
    CHECK(layer.gap == Approx(gap).epsilon(0.3));
  }
  CHECK(motion::pierced_share(surface, layers, surface.positions) == 0.0);
}

TEST_CASE("surfaces that face each other are no layers") {
  Scene scene = coated_tube();
  SceneMesh& mesh = scene.meshes[0];
  const std::size_t count = mesh.positions.size() / 2;
  for (std::size_t v = count; v < mesh.positions.size(); ++v)
    mesh.positions[v] = mesh.positions[v - count] + Eigen::Vector3d(1.0 + gap, 0, 0);
  const check::SkinSurface surface = check::skin_surface(scene);
  CHECK(surface.links.to.size() > 2 * surface.edges.size());  // they are linked
  CHECK(motion::layers_of(surface).empty());
}

TEST_CASE("a body that grows through its coat pierces it, and the coat is moved out") {
  const check::SkinSurface surface = check::skin_surface(coated_tube());
  const std::vector<motion::Layer> layers = motion::layers_of(surface);
  std::vector<Eigen::Vector3d> positions = surface.positions;
  for (std::size_t v = 0; v < positions.size() / 2; ++v) {
    positions[v].x() *= 1.0 + 3.0 * gap;
    positions[v].z() *= 1.0 + 3.0 * gap;
  }
  const double pierced = motion::pierced_share(surface, layers, positions);
  CHECK(pierced > 0.5);
  const std::vector<Eigen::Vector3d> before = positions;
  motion::keep_apart(surface, layers, positions);
  CHECK(motion::pierced_share(surface, layers, positions) < 0.05 * pierced);
  for (const motion::Layer& layer : layers) CHECK(positions[layer.inner] == before[layer.inner]);
}

TEST_CASE("nothing is moved where layers keep apart") {
  const check::SkinSurface surface = check::skin_surface(coated_tube());
  std::vector<Eigen::Vector3d> positions = surface.positions;
  motion::keep_apart(surface, motion::layers_of(surface), positions);
  CHECK(positions == surface.positions);
}

}  // namespace
}  // namespace gvbind
