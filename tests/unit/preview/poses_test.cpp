#include "preview/poses.h"

#include <catch2/catch.hpp>

namespace gvbind {
namespace {

enum Joint {
  hips,
  spine,
  chest,
  neck,
  head,
  collar,
  arm,
  elbow,
  hand,
  thigh = 13,
  knee,
  foot,
  toe
};

/// A body in T-pose that faces +z: first the left limbs, then the right ones.
Scene body() {
  Scene scene;
  const auto add = [&](int parent, double x, double y, double z) {
    SceneJoint joint;
    joint.parent = parent;
    joint.bind.translation() = Eigen::Vector3d(x, y, z);
    scene.joints.push_back(joint);
    return static_cast<int>(scene.joints.size()) - 1;
  };
  add(-1, 0, 1.0, 0);
  add(hips, 0, 1.2, 0);
  add(spine, 0, 1.35, 0);
  add(chest, 0, 1.5, 0);
  add(neck, 0, 1.65, 0);
  for (const double side : {1.0, -1.0}) {
    const int c = add(chest, 0.05 * side, 1.45, 0);
    const int a = add(c, 0.18 * side, 1.45, 0);
    const int e = add(a, 0.45 * side, 1.45, 0);
    add(e, 0.70 * side, 1.45, 0);
  }
  for (const double side : {1.0, -1.0}) {
    const int t = add(hips, 0.1 * side, 0.95, 0);
    const int k = add(t, 0.1 * side, 0.5, 0);
    const int f = add(k, 0.1 * side, 0.08, 0);
    add(f, 0.1 * side, 0.02, 0.15);
  }
  return scene;
}

std::vector<Eigen::Vector3d> posed_places(const Scene& scene, preview::BentPose pose,
                                          double degrees = 40) {
  const auto poses = preview::pose_joints(scene.joints, preview::bent_pose(scene, pose, degrees));
  std::vector<Eigen::Vector3d> places;
  for (std::size_t j = 0; j < poses.size(); ++j)
    places.emplace_back(poses[j] * scene.joints[j].bind.translation());
  return places;
}

double angle_at(const std::vector<Eigen::Vector3d>& p, int a, int b, int c) {
  const Eigen::Vector3d u = (p[static_cast<std::size_t>(a)] - p[static_cast<std::size_t>(b)]);
  const Eigen::Vector3d v = (p[static_cast<std::size_t>(c)] - p[static_cast<std::size_t>(b)]);
  return std::acos(u.normalized().dot(v.normalized())) * 180.0 / M_PI;
}

}  // namespace

TEST_CASE("limbs are classified by their attachment and end") {
  const auto roles = preview::limb_roles(body());
  for (const int j : {hips, spine, chest})
    CHECK(roles[static_cast<std::size_t>(j)].kind == preview::LimbKind::trunk);
  CHECK(roles[neck].kind == preview::LimbKind::middle);
  CHECK(roles[arm].kind == preview::LimbKind::arm);
  CHECK(roles[arm].side == 1.0);
  CHECK(roles[arm + 4].side == -1.0);
  CHECK(roles[thigh].kind == preview::LimbKind::leg);
  CHECK(roles[thigh].index_in_limb == 0);
  CHECK(roles[knee].index_in_limb == 1);
  CHECK(roles[elbow].index_in_limb - roles[arm].index_in_limb == 1);
}

TEST_CASE("both poses bend knees and elbows by a good part of the angle") {
  const Scene scene = body();
  for (const preview::BentPose pose : {preview::BentPose::stride, preview::BentPose::crouch}) {
    const auto places = posed_places(scene, pose);
    for (const int side : {0, 4}) {
      CHECK(angle_at(places, thigh + side, knee + side, foot + side) < 160.0);
      CHECK(angle_at(places, arm + side, elbow + side, hand + side) < 160.0);
    }
    CHECK((places[head] - scene.joints[head].bind.translation()).norm() > 0.03);
  }
}

TEST_CASE("a neck that ends in an ear is in the middle") {
  Scene scene = body();
  for (const double side : {0.08, -0.08}) {
    SceneJoint ear;
    ear.parent = head;
    ear.bind.translation() = Eigen::Vector3d(side, 1.75, 0);
    scene.joints.push_back(ear);
  }
  const auto roles = preview::limb_roles(scene);
  CHECK(roles[neck].kind == preview::LimbKind::middle);
  CHECK(roles[neck].side == 0.0);
  CHECK(roles[arm].kind == preview::LimbKind::arm);
}

TEST_CASE("knees bend backward") {
  const Scene scene = body();
  for (const preview::BentPose pose : {preview::BentPose::stride, preview::BentPose::crouch}) {
    const auto places = posed_places(scene, pose);
    for (const std::size_t side : {0, 4}) {
      const Eigen::Vector3d thigh_line = places[knee + side] - places[thigh + side];
      const Eigen::Vector3d shin = places[foot + side] - places[knee + side];
      CHECK(shin.normalized().z() < thigh_line.normalized().z());
    }
  }
}

TEST_CASE("a pose keeps lengths") {
  const Scene scene = body();
  const auto places = posed_places(scene, preview::BentPose::crouch);
  for (std::size_t j = 1; j < places.size(); ++j) {
    const auto parent = static_cast<std::size_t>(scene.joints[j].parent);
    const double before =
        (scene.joints[j].bind.translation() - scene.joints[parent].bind.translation()).norm();
    CHECK((places[j] - places[parent]).norm() == Approx(before));
  }
}

TEST_CASE("the joints' own frames do not change how a body bends") {
  const Scene plain = body();
  Scene framed = plain;
  const Eigen::Matrix3d turned =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  for (std::size_t j = 0; j < framed.joints.size(); ++j) {
    const double scale = j % 3 == 0 ? 0.01 : 25.0;
    Eigen::Matrix3d mirror = Eigen::Matrix3d::Identity();
    if (j % 2) mirror(0, 0) = -1.0;
    framed.joints[j].bind.linear() = turned * mirror * scale;
  }
  const auto expected = posed_places(plain, preview::BentPose::stride);
  const auto found = posed_places(framed, preview::BentPose::stride);
  for (std::size_t j = 0; j < expected.size(); ++j) CHECK((expected[j] - found[j]).norm() < 1e-9);
}

TEST_CASE("a body with z up bends like one with y up") {
  const Scene plain = body();
  Scene lying = plain;
  const Eigen::Matrix3d to_z_up =
      Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitX()).toRotationMatrix();
  lying.units.up = Eigen::Vector3d::UnitZ();
  lying.units.front = -Eigen::Vector3d::UnitY();
  for (SceneJoint& joint : lying.joints)
    joint.bind.translation() = Eigen::Vector3d(to_z_up * joint.bind.translation());
  const auto expected = posed_places(plain, preview::BentPose::crouch);
  const auto found = posed_places(lying, preview::BentPose::crouch);
  for (std::size_t j = 0; j < expected.size(); ++j)
    CHECK((to_z_up * expected[j] - found[j]).norm() < 1e-9);
}

TEST_CASE("a long chain of equal joints curves without a zigzag") {
  Scene scene;
  for (int j = 0; j < 10; ++j) {
    SceneJoint joint;
    joint.parent = j - 1;
    joint.bind.translation().z() = -0.1 * j;
    scene.joints.push_back(joint);
  }
  const auto places = posed_places(scene, preview::BentPose::stride);
  Eigen::Vector3d last = Eigen::Vector3d::Zero();
  for (std::size_t j = 2; j < places.size(); ++j) {
    const Eigen::Vector3d bend = (places[j - 1] - places[j - 2]).cross(places[j] - places[j - 1]);
    if (j > 2) CHECK(bend.dot(last) > 0.0);
    last = bend;
  }
}

TEST_CASE("strange skeletons bend without numbers that are not finite") {
  Scene scene = body();
  scene.joints[spine].bind.linear().setZero();
  scene.joints[arm].bind.translation() = scene.joints[collar].bind.translation();
  scene.joints[toe].bind.translation().x() = std::nan("");
  for (const preview::BentPose pose : {preview::BentPose::stride, preview::BentPose::crouch})
    for (const Eigen::Quaterniond& turn : preview::bent_pose(scene, pose, 40))
      CHECK(turn.coeffs().allFinite());
  CHECK(preview::bent_pose({}, preview::BentPose::stride, 40).empty());
}

}  // namespace gvbind
