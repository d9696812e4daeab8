#include "retarget/limited_limbs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "bodies.h"

using namespace gvbind;
using bodies::Quaterniond;
using bodies::Vector3d;

namespace {

constexpr int arm = 6, forearm = 7, hand = 8;

/// A body whose left elbow is bent to the front by 20 degrees at rest.
NodeScene bent_body() {
  NodeScene scene = bodies::plain_body();
  scene.nodes[forearm].local.rotation =
      Quaterniond(Eigen::AngleAxisd(-M_PI / 9.0, Vector3d::UnitY()));
  return scene;
}

/// An elbow that bends to the front alone.
Quaterniond hinge(int node, const Quaterniond& local) {
  if (node != forearm) return local;
  const Quaterniond turn(local.w(), 0.0, local.y(), 0.0);
  return turn.norm() > 1e-9 ? turn.normalized() : Quaterniond::Identity();
}

}  // namespace

TEST_CASE("the hand comes to its place where the elbow is a hinge", "[retarget]") {
  const NodeScene scene = bent_body();
  const bodies::Both same(scene, scene);
  const std::vector<bool> moved(scene.nodes.size(), false);
  for (const Vector3d& axis : {Vector3d(0, 0, 1), Vector3d(0, -1, 0.3), Vector3d(1, -2, 1)}) {
    INFO(axis.transpose());
    std::vector<Transform> locals = same.hero_rest.locals;
    locals[arm].rotation = Quaterniond(Eigen::AngleAxisd(-0.7, Vector3d::UnitZ()));
    locals[forearm].rotation = Quaterniond(Eigen::AngleAxisd(1.1, axis.normalized()));
    const retarget::WorldPose wanted = retarget::world_pose(same.hero_rest.parents, locals);
    retarget::WorldMotion motion = {wanted};
    retarget::keep_limits(same.between, moved, hinge, 30.0, false, motion);
    CHECK((motion[0].positions[hand] - wanted.positions[hand]).norm() < 1e-6);
    CHECK((motion[0].positions[forearm] - wanted.positions[forearm]).norm() < 1e-6);
    CHECK(motion[0].rotations[hand].angularDistance(wanted.rotations[hand]) < 1e-6);
    const Quaterniond elbow = motion[0].rotations[arm].conjugate() * motion[0].rotations[forearm];
    CHECK(elbow.angularDistance(hinge(forearm, elbow)) < 1e-6);
    CHECK(elbow.y() * elbow.w() < 0.0);  // to the front
    const std::vector<Transform> again =
        retarget::local_pose(same.hero_rest, motion[0], moved, hinge);
    const retarget::WorldPose written = retarget::world_pose(same.hero_rest.parents, again);
    CHECK((written.positions[hand] - wanted.positions[hand]).norm() < 1e-6);
  }
}

TEST_CASE("an arm does not jump where its elbow is first stopped", "[retarget]") {
  const NodeScene scene = bent_body();
  const bodies::Both same(scene, scene);
  retarget::WorldMotion motion;
  for (int frame = 0; frame < 40; ++frame) {
    std::vector<Transform> locals = same.hero_rest.locals;
    locals[arm].rotation = Quaterniond(Eigen::AngleAxisd(-0.7, Vector3d::UnitZ()));
    // Free for ten frames, then up, which the hinge does not allow.
    const double up = std::min(1.2, 0.15 * std::max(0, frame - 10));
    locals[forearm].rotation = Quaterniond(Eigen::AngleAxisd(up, Vector3d::UnitZ()));
    motion.push_back(retarget::world_pose(same.hero_rest.parents, locals));
  }
  const retarget::WorldMotion wanted = motion;
  retarget::keep_limits(same.between, std::vector<bool>(scene.nodes.size(), false), hinge, 30.0,
                        false, motion);
  double most = 0.0;
  for (std::size_t f = 1; f < motion.size(); ++f)
    most = std::max(most, motion[f - 1].rotations[arm].angularDistance(motion[f].rotations[arm]));
  INFO(most * 180.0 / M_PI);
  CHECK(most < 15.0 * M_PI / 180.0);
  CHECK((motion.back().positions[hand] - wanted.back().positions[hand]).norm() < 1e-6);
}

TEST_CASE("a closed motion stays closed where an elbow is stopped at its end alone", "[retarget]") {
  const NodeScene scene = bent_body();
  const bodies::Both same(scene, scene);
  retarget::WorldMotion motion;
  for (int frame = 0; frame < 41; ++frame) {
    std::vector<Transform> locals = same.hero_rest.locals;
    const bool is_up = frame == 0 || frame > 20;
    locals[forearm].rotation = Quaterniond(Eigen::AngleAxisd(is_up ? 0.8 : 0.0, Vector3d::UnitZ()));
    motion.push_back(retarget::world_pose(same.hero_rest.parents, locals));
  }
  retarget::keep_limits(same.between, std::vector<bool>(scene.nodes.size(), false), hinge, 30.0,
                        true, motion);
  for (const int node : {arm, forearm, hand})
    CHECK(motion.front().rotations[node].angularDistance(motion.back().rotations[node]) < 1e-9);
}

TEST_CASE("a motion within its limits stays as it is", "[retarget]") {
  const NodeScene scene = bent_body();
  const bodies::Both same(scene, scene);
  std::vector<Transform> locals = same.hero_rest.locals;
  locals[forearm].rotation = Quaterniond(Eigen::AngleAxisd(-1.0, Vector3d::UnitY()));
  const retarget::WorldPose wanted = retarget::world_pose(same.hero_rest.parents, locals);
  retarget::WorldMotion motion = {wanted};
  retarget::keep_limits(same.between, std::vector<bool>(scene.nodes.size(), false), hinge, 30.0,
                        false, motion);
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    CHECK((motion[0].positions[i] - wanted.positions[i]).norm() < 1e-9);
    CHECK(motion[0].rotations[i].angularDistance(wanted.rotations[i]) < 1e-9);
  }
}
