#include "motion/volume_changes.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "check/stretch.h"
#include "gvbind/base/parallel.h"
#include "motion/bent_tube.h"
#include "motion/pose_figures.h"
#include "support/shapes.h"

namespace gvbind {
namespace {

/// A tube whose weights blend over `blend` around the second joint; a third joint has no weights.
Scene tube(double blend) {
  Scene scene;
  scene.joints = {test::joint_at("root", -1, 0), test::joint_at("low", 0, 2),
                  test::joint_at("idle", 1, 4)};
  SceneMesh mesh;
  const test::Shape shape = test::capsule({0, 0, 0}, {0, 4, 0}, 0.5, 24, 48);
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  mesh.skin_joints = {0, 1};
  for (const Eigen::Vector3d& p : mesh.positions) {
    const double upper = std::clamp((p.y() - 2.0) / blend + 0.5, 0.0, 1.0);
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

TEST_CASE("a joint's loss is the loss of the whole surface") {
  const Scene scene = tube(1.0);
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::CappedSurface capped = motion::cap_holes(surface.positions, surface.triangles);
  const std::vector<motion::VolumeChange> found =
      motion::measure_volume_changes(surface, capped, scene.joints);
  REQUIRE(found.size() == 1);  // everything follows the root, and nothing the last joint
  CHECK(found[0].joint == 1);
  double lost = 0.0, gained = 0.0;
  const double rest = motion::volume_of(capped, surface.positions);
  for (int i = 0; i < motion::joint_turns; ++i) {
    std::vector<Eigen::Affine3d> pose(3, Eigen::Affine3d::Identity());
    pose[1] = pose[2] = check::random_turn(scene.joints[1], i, {.degrees = 45.0, .seed = 1});
    const double change =
        motion::volume_of(capped, motion::posed_surface(surface, surface.weights, pose)) / rest -
        1.0;
    (change < 0.0 ? lost : gained) += std::abs(change) / motion::joint_turns;
  }
  CHECK(found[0].lost == Approx(lost).margin(1e-12));
  CHECK(found[0].gained == Approx(gained).margin(1e-12));
  CHECK(found[0].lost > 1e-4);
}

TEST_CASE("wider blends lose more volume, and open tubes as much as closed ones") {
  const auto lost = [](double blend, bool open) {
    Scene scene = tube(blend);
    if (open) std::erase_if(scene.meshes[0].triangles, [](const Triangle& t) { return t[0] == 0; });
    const check::SkinSurface surface = check::skin_surface(scene);
    return motion::measure_volume_changes(
               surface, motion::cap_holes(surface.positions, surface.triangles), scene.joints)
        .at(0)
        .lost;
  };
  CHECK(lost(1.5, false) > 1.2 * lost(0.5, false));
  CHECK(lost(1.0, true) == Approx(lost(1.0, false)).epsilon(0.1));
}

TEST_CASE("a flat mesh has no volume to lose") {
  Scene scene = tube(1.0);
  for (Eigen::Vector3d& p : scene.meshes[0].positions) p.z() = 0.0;
  const check::SkinSurface surface = check::skin_surface(scene);
  CHECK(motion::measure_volume_changes(
            surface, motion::cap_holes(surface.positions, surface.triangles), scene.joints)
            .empty());
}

TEST_CASE("volumes by joint are the same on any number of threads", "[threads]") {
  const Scene scene = tube(1.0);
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::CappedSurface capped = motion::cap_holes(surface.positions, surface.triangles);
  std::vector<motion::VolumeChange> one, two;
  with_threads(1, {}, [&] { one = motion::measure_volume_changes(surface, capped, scene.joints); });
  with_threads(2, {}, [&] { two = motion::measure_volume_changes(surface, capped, scene.joints); });
  REQUIRE(one.size() == two.size());
  CHECK(one[0].lost == two[0].lost);
}

}  // namespace
}  // namespace gvbind
