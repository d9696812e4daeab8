#include "motion/dual_quaternion.h"

#include <catch2/catch.hpp>

#include "gvbind/base/parallel.h"
#include "motion/bent_tube.h"

namespace gvbind {
namespace {

using test::farthest;

const Eigen::Affine3d rigid =
    Eigen::Translation3d(3, -2, 1) * Eigen::AngleAxisd(2.9, Eigen::Vector3d(1, 2, -1).normalized());

std::vector<Eigen::Vector3d> dual(const Scene& scene, const std::vector<Eigen::Affine3d>& pose) {
  return motion::dual_quaternion_positions(motion::pose_surface(scene), scene.joints, pose);
}

std::vector<Eigen::Vector3d> transformed(const Scene& scene, const Eigen::Affine3d& transform) {
  std::vector<Eigen::Vector3d> out = scene.meshes[0].positions;
  for (Eigen::Vector3d& p : out) p = transform * p;
  return out;
}

TEST_CASE("dual quaternions of one transform are that transform, with scale, shear and mirror") {
  const Scene scene = test::jointed_tube();
  CHECK(farthest(dual(scene, {rigid, rigid}), transformed(scene, rigid)) < 1e-13);
  for (const double side : {0.3, -0.3}) {
    Eigen::Affine3d other = rigid;
    other.linear() *= Eigen::Vector3d(1.5, 0.7, 2.0).asDiagonal();
    other.linear()(0, 1) += side;
    if (side < 0.0) other.linear().col(0) *= -1.0;
    CHECK(farthest(dual(scene, {other, other}), transformed(scene, other)) < 1e-12);
  }
  CHECK(farthest(dual(scene, {Eigen::Affine3d::Identity(), Eigen::Affine3d::Identity()}),
                 scene.meshes[0].positions) < 1e-14);
}

TEST_CASE("a twisted tube keeps its radius, on whichever side the quaternions are") {
  const Scene scene = test::jointed_tube();
  for (const double degrees : {90.0, 170.0, -170.0, 190.0, 350.0})
    for (const bool turned : {false, true}) {
      std::vector<Eigen::Affine3d> pose = test::tube_pose(degrees, Eigen::Vector3d::UnitY());
      // A rotation of the whole that is large enough to flip the sign of quaternions.
      const Eigen::Affine3d whole(Eigen::AngleAxisd(turned ? 3.0 : 0.0, Eigen::Vector3d::UnitY()));
      for (Eigen::Affine3d& transform : pose) transform = whole * transform;
      const std::vector<Eigen::Vector3d> posed = dual(scene, pose);
      for (std::size_t v = 1; v + 1 < posed.size(); ++v)
        CHECK(std::hypot(posed[v].x(), posed[v].z()) == Approx(0.5).margin(1e-9));
    }
}

TEST_CASE("dual quaternions are the same on any number of threads", "[threads]") {
  const Scene scene = test::jointed_tube(64, 200);
  const auto pose = test::tube_pose(110, Eigen::Vector3d(1, 1, 0).normalized());
  std::vector<Eigen::Vector3d> one, two;
  with_threads(1, {}, [&] { one = dual(scene, pose); });
  with_threads(2, {}, [&] { two = dual(scene, pose); });
  CHECK(one == two);
}

}  // namespace
}  // namespace gvbind
