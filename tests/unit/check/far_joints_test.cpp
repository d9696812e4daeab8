#include "check/far_joints.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "check/broken_skins.h"
#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Fault;
using test::Row;
using test::smooth_row;
using test::trousers;

check::FarJoints far_of(const Scene& scene, const check::FarJointOptions& options = {}) {
  const check::SkinSurface surface = check::skin_surface(scene);
  const check::SkeletonGeometry skeleton(scene.joints);
  return check::measure_far_joints(surface, skeleton, check::find_nearest_bones(surface, skeleton),
                                   options);
}

/// The left foot follows the right thigh.
Scene foot_of_the_other_leg() {
  return trousers([](double s, const Vector3d&) {
    return s < 0.3 ? Row{{4, 1.0f}} : smooth_row(s);
  });
}

}  // namespace

TEST_CASE("a sound skin follows joints that are near, wide blends too") {
  CHECK(far_of(trousers()).surface == 0.0);
  CHECK(far_of(trousers()).worst < 0.05);
  const Scene wide = trousers([](double s, const Vector3d&) { return smooth_row(s, 0.3); });
  CHECK(far_of(wide).surface == 0.0);
  CHECK(far_of(wide).worst < 0.05);
}

TEST_CASE("a part of the mesh that follows a far joint is named with the joint next to it") {
  const Scene scene = foot_of_the_other_leg();
  const check::FarJoints far = far_of(scene);
  CHECK(far.surface > 0.05);
  REQUIRE(!far.joints.empty());
  CHECK(far.joints[0].joint == 4u);
  CHECK(far.joints[0].excess == far.worst);
  CHECK(far.worst > 0.1);
  const Vector3d& worst = scene.meshes[0].positions[far.joints[0].vertex];
  CHECK(worst.x() < 0.0);
  CHECK(worst.y() < 0.3);
}

TEST_CASE("swapped sides, shuffled rows and permuted joints are far, and each is found") {
  for (const Fault fault : {Fault::swapped_sides, Fault::shuffled, Fault::permuted_joints}) {
    INFO(test::name_of(fault));
    const auto scene = test::broken(trousers(), fault, 1);
    REQUIRE(scene);
    CHECK(far_of(*scene).worst > 0.1);
    CHECK(far_of(*scene).surface > 0.02);
  }
}

TEST_CASE("an excess does not depend on size and place") {
  const Scene scene = foot_of_the_other_leg();
  const check::FarJoints expected = far_of(scene);
  for (const double scale : {1e-4, 1e5}) {
    const Eigen::Affine3d motion =
        Eigen::Translation3d(scale * Vector3d(3, -7, 2)) * Eigen::Scaling(scale);
    const check::FarJoints far = far_of(test::moved(scene, motion));
    CHECK(far.worst == Approx(expected.worst).epsilon(1e-3));
    CHECK(far.surface == Approx(expected.surface).epsilon(1e-3));
  }
}

TEST_CASE("a joint with too small a region is not judged alone, its surface counts all the same") {
  check::FarJointOptions options;
  options.region = 0.9;
  const check::FarJoints far = far_of(foot_of_the_other_leg(), options);
  CHECK(far.joints.empty());
  CHECK(far.worst == 0.0);
  CHECK(far.surface > 0.05);
}

TEST_CASE("hostile scenes have no far joints, or finite ones") {
  CHECK(far_of({}).worst == 0.0);
  Scene scene = foot_of_the_other_leg();
  scene.meshes[0].positions[5].x() = NAN;
  scene.joints[4].bind.translation().y() = NAN;
  CHECK(std::isfinite(far_of(scene).worst));
  CHECK(std::isfinite(far_of(scene).surface));
  scene.meshes[0].weights = {};
  CHECK(far_of(scene).worst == 0.0);
  scene.meshes[0].positions.assign(scene.meshes[0].positions.size(), Vector3d(1, 2, 3));
  CHECK(far_of(scene).surface == 0.0);
}

}  // namespace gvbind
