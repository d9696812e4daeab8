#include "check/bleed.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Row;
using test::smooth_row;
using test::trousers;

check::Bleed bleed_of(const Scene& scene, const check::BleedOptions& options = {}) {
  const check::SkinSurface surface = check::skin_surface(scene);
  const check::SkeletonGeometry skeleton(scene.joints);
  return check::measure_bleed(surface, skeleton, check::find_nearest_bones(surface, skeleton),
                              options);
}

/// The inner side of the left thigh, at half its height, gives `part` of its weight to the right
/// thigh.
Scene bled(float part) {
  return trousers([part](double s, const Vector3d& p) {
    if (p.x() > -0.15 || p.x() < -0.2 || p.y() < 0.6 || p.y() > 0.8) return smooth_row(s);
    if (part > 0.5f) return Row{{4, part}, {1, 1.0f - part}};
    return Row{{1, 1.0f - part}, {4, part}};
  });
}

}  // namespace

TEST_CASE("a smooth bind does not bleed") {
  CHECK(bleed_of(trousers()).share == 0.0);
  const Scene wide = trousers([](double s, const Vector3d&) { return smooth_row(s, 0.3); });
  CHECK(bleed_of(wide).share < 1e-3);
}

TEST_CASE("a chain may share its weights widely") {
  const Scene scene = trousers([](double s, const Vector3d&) {
    return s < 0.95 ? Row{{1, 0.4f}, {2, 0.35f}, {3, 0.25f}} : smooth_row(s);
  });
  CHECK(bleed_of(scene).share < 0.01);
}

TEST_CASE("weight across the gap is bleed, and in proportion") {
  const check::Bleed some = bleed_of(bled(0.2f)), more = bleed_of(bled(0.4f));
  CHECK(some.share > 0.0);
  CHECK(more.share == Approx(2.0 * some.share).epsilon(1e-5));
  CHECK(some.worst == Approx(0.2).epsilon(1e-3));
  CHECK(more.bleeding == Approx(some.bleeding));
  REQUIRE(!some.pairs.empty());
  CHECK(some.pairs[0].own == 1);
  CHECK(some.pairs[0].other == 4);
  CHECK(some.pairs[0].share == Approx(1.0));
}

TEST_CASE("a jump to the other leg bleeds also where it is dominant") {
  const check::Bleed jump = bleed_of(bled(1.0f));
  CHECK(jump.worst == Approx(1.0).epsilon(1e-3));
  CHECK(jump.share == Approx(5.0 * bleed_of(bled(0.2f)).share).epsilon(0.02));
}

TEST_CASE("legs that were taken for each other bleed all over") {
  const Scene scene = trousers([](double s, const Vector3d&) {
    Row row = smooth_row(s);
    for (auto& entry : row)
      if (entry.first == 1)
        entry.first = 4;
      else if (entry.first == 4)
        entry.first = 1;
    return row;
  });
  const check::Bleed bleed = bleed_of(scene);
  CHECK(bleed.share > 0.2);
  CHECK(bleed.worst > 0.9);
}

TEST_CASE("bleed does not depend on size, place, direction or the order of things") {
  const Scene scene = bled(0.3f);
  const check::Bleed expected = bleed_of(scene);
  for (const double scale : {1e-4, 1.0, 1e5}) {
    const Eigen::Affine3d motion = Eigen::Translation3d(scale * Vector3d(3, -7, 2)) *
                                   Eigen::AngleAxisd(1.0, Vector3d(1, 2, 3).normalized()) *
                                   Eigen::Scaling(scale);
    // The size is measured along the axes, so only translation and scale keep it.
    const Eigen::Affine3d upright =
        Eigen::Translation3d(scale * Vector3d(3, -7, 2)) * Eigen::Scaling(scale);
    CHECK(bleed_of(test::moved(scene, upright)).share == Approx(expected.share).epsilon(1e-6));
    CHECK(bleed_of(test::moved(scene, motion)).share == Approx(expected.share).epsilon(0.3));
  }
  Scene split = scene;  // every triangle has its own vertices
  SceneMesh& mesh = split.meshes[0];
  mesh.positions.clear();
  mesh.weights = {};
  mesh.triangles.clear();
  const SceneMesh& old = scene.meshes[0];
  for (const Triangle& t : old.triangles) {
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.triangles.push_back({base, base + 1, base + 2});
    for (const std::uint32_t v : t) {
      mesh.positions.push_back(old.positions[v]);
      Row row;
      for (std::size_t k = old.weights.first[v]; k < old.weights.first[v + 1]; ++k)
        row.emplace_back(old.weights.joint[k], old.weights.weight[k]);
      test::add_row(mesh.weights, row);
    }
  }
  CHECK(bleed_of(split).share == Approx(expected.share).epsilon(1e-6));
}

TEST_CASE("bleed is a matter of area, not of how many vertices there are") {
  const auto patch = [](double s, const Vector3d& p) {
    return p.x() < -0.1 && p.y() > 0.6 && p.y() < 0.8 ? Row{{1, 0.7f}, {4, 0.3f}} : smooth_row(s);
  };
  const double coarse = bleed_of(trousers(patch, 60)).share;
  CHECK(bleed_of(trousers(patch, 240)).share == Approx(coarse).epsilon(0.1));
}

TEST_CASE("limits define which joints are far") {
  check::BleedOptions generous;
  generous.branch = 0.5;
  generous.path = 5.0;
  CHECK(bleed_of(bled(0.3f), generous).share == 0.0);
  check::BleedOptions across;
  across.surface = 1.0;
  CHECK(bleed_of(bled(0.3f), across).share == 0.0);
}

TEST_CASE("hostile scenes have some bleed, and it is finite") {
  CHECK(bleed_of({}).share == 0.0);
  Scene scene = bled(0.3f);
  scene.meshes[0].positions[5].x() = NAN;
  for (SceneJoint& j : scene.joints) j.bind.translation() = scene.joints[0].bind.translation();
  CHECK(bleed_of(scene).share == 0.0);  // all joints are close together
  scene = bled(0.3f);
  scene.joints[2].bind.translation().y() = NAN;
  CHECK(std::isfinite(bleed_of(scene).share));
  scene = bled(0.3f);
  scene.meshes[0].triangles.clear();
  CHECK(bleed_of(scene).share == 0.0);
  scene = bled(0.3f);
  scene.meshes[0].weights = {};
  CHECK(bleed_of(scene).share == 0.0);
}

}  // namespace gvbind
