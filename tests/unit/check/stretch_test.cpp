#include "check/stretch.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <cmath>

#include "check/check.h"
#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Row;
using test::smooth_row;
using test::trousers;

check::Stretch stretch_of(const Scene& scene, const check::StretchOptions& options = {}) {
  return check::measure_stretch(check::skin_surface(scene), scene.joints, options);
}

Scene jumping() {
  return trousers([](double s, const Vector3d& p) {
    return p.y() > 0.6 && p.y() < 0.7 && p.x() < 0 ? Row{{6, 1.0f}} : smooth_row(s);
  });
}

}  // namespace

TEST_CASE("surface bound to a single joint keeps its shape") {
  const Scene scene = trousers([](double, const Vector3d&) { return Row{{2, 1.0f}}; });
  const check::Stretch stretch = stretch_of(scene);
  CHECK(stretch.edges > 1000);
  CHECK(stretch.largest == Approx(1.0));
  CHECK(stretch.smallest == Approx(1.0));
  CHECK(stretch.torn == 0.0);
}

TEST_CASE("without turns nothing stretches") {
  check::StretchOptions still;
  still.degrees = 0.0;
  CHECK(stretch_of(jumping(), still).largest == Approx(1.0));
}

TEST_CASE("a smooth bind stretches little, a jump tears and is found") {
  const check::Stretch smooth = stretch_of(trousers());
  CHECK(smooth.p99 > 1.05);
  CHECK(smooth.p99 < 4.0);
  const check::Stretch torn = stretch_of(jumping());
  CHECK(torn.largest > 4.0 * smooth.largest);
  CHECK(torn.torn > 0.005);
  REQUIRE(!torn.pairs.empty());
  CHECK(torn.pairs[0].a == 1);
  CHECK(torn.pairs[0].b == 6);
  CHECK(torn.pairs[0].worst == Approx(torn.largest));
}

TEST_CASE("a sample of the edges stretches like all of them") {
  const check::Stretch all = stretch_of(trousers());
  check::StretchOptions options;
  for (const std::size_t sample : {std::size_t{512}, all.edges / 2}) {
    options.sample = sample;
    const check::Stretch some = stretch_of(trousers(), options);
    CHECK(some.edges <= sample);
    CHECK(some.edges + 16 > sample);
    CHECK(some.median == Approx(all.median).epsilon(0.1));
    CHECK(some.p99 == Approx(all.p99).epsilon(0.2));
    CHECK(some.largest <= all.largest);
  }
  options.sample = 2 * all.edges;
  CHECK(stretch_of(trousers(), options).p99 == all.p99);
}

TEST_CASE("a sample does not decide where it is near a threshold") {
  check::CheckOptions options;
  options.stretch.sample = 512;
  options.stretch_p99 = {1.4 * check::check_scene(trousers(), options).stretch.p99};
  const std::size_t all = stretch_of(trousers()).edges;
  CHECK(check::check_scene(trousers(), options).stretch.edges == all);
  options.stretch_p99.warning *= 1.2;
  CHECK(check::check_scene(trousers(), options).stretch.edges <= 512);
}

TEST_CASE("quantiles are in order") {
  const check::Stretch s = stretch_of(jumping());
  CHECK(1.0 <= s.median);
  CHECK(s.median <= s.p95);
  CHECK(s.p95 <= s.p99);
  CHECK(s.p99 <= s.largest);
  CHECK(s.smallest <= s.p1);
  CHECK(s.p1 <= 1.0);
}

TEST_CASE("stretch does not depend on size and place") {
  const Scene scene = jumping();
  const check::Stretch expected = stretch_of(scene);
  for (const double scale : {1e-4, 1.0, 1e5}) {
    const Eigen::Affine3d motion =
        Eigen::Translation3d(scale * Vector3d(3, -7, 2)) * Eigen::Scaling(scale);
    const check::Stretch found = stretch_of(test::moved(scene, motion));
    CHECK(found.p99 == Approx(expected.p99).epsilon(1e-6));
    CHECK(found.largest == Approx(expected.largest).epsilon(1e-6));
    CHECK(found.edges == expected.edges);
  }
}

TEST_CASE("the frames of joints and other joints change nothing") {
  const Scene scene = jumping();
  const check::Stretch expected = stretch_of(scene);
  Scene turned = scene;
  for (SceneJoint& j : turned.joints)
    j.bind = j.bind * Eigen::AngleAxisd(1.0, Vector3d::UnitX()) * Eigen::Scaling(1.0, 2.0, -3.0);
  CHECK(stretch_of(turned).p99 == expected.p99);
  Scene more = scene;
  more.joints.push_back(test::joint("tail", 0, {0, 2, 0}));
  CHECK(stretch_of(more).p99 == expected.p99);
}

TEST_CASE("poses follow the seed") {
  check::StretchOptions other;
  other.seed = 2;
  const Scene scene = jumping();
  CHECK(stretch_of(scene).p99 == stretch_of(scene).p99);
  CHECK(stretch_of(scene).largest != stretch_of(scene, other).largest);
  check::StretchOptions fewer;
  fewer.poses = 4;
  CHECK(stretch_of(scene, fewer).largest <= stretch_of(scene).largest);
}

TEST_CASE("turns keep a joint's place and their bound") {
  const SceneJoint joint = test::joint("elbow", 0, {1, 2, 3});
  check::StretchOptions options;
  options.degrees = 30.0;
  double largest = 0.0;
  Vector3d middle = Vector3d::Zero();
  for (int pose = 0; pose < 500; ++pose) {
    const Eigen::Affine3d turn = check::random_turn(joint, pose, options);
    CHECK((turn * Vector3d(1, 2, 3) - Vector3d(1, 2, 3)).norm() < 1e-12);
    const Eigen::AngleAxisd angle(turn.rotation());
    CHECK(angle.angle() <= 30.0 * M_PI / 180.0 + 1e-9);
    largest = std::max(largest, angle.angle());
    middle += angle.axis() / 500.0;
  }
  CHECK(largest > 28.0 * M_PI / 180.0);
  CHECK(middle.norm() < 0.15);
}

TEST_CASE("hostile scenes do not stretch into nothing") {
  CHECK(stretch_of({}).edges == 0);
  Scene scene = jumping();
  scene.meshes[0].triangles.clear();
  CHECK(stretch_of(scene).p99 == 1.0);
  scene = jumping();
  scene.meshes[0].positions[7] = {NAN, INFINITY, 0};
  scene.joints[2].bind.translation().x() = NAN;
  scene.joints[5].bind = scene.joints[4].bind;
  const check::Stretch stretch = stretch_of(scene);
  CHECK(std::isfinite(stretch.largest));
  CHECK(std::isfinite(stretch.p99));
  scene.meshes[0].weights = {};
  CHECK(stretch_of(scene).edges == 0);
}

}  // namespace gvbind
