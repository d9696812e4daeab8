#include "retarget/joint_limits.h"

#include <catch2/catch.hpp>

#include "bodies.h"

using namespace gvbind;
using bodies::Quaterniond;
using bodies::Vector3d;

namespace {

/// The T pose with joints turned by degrees about an axis of the world.
retarget::WorldPose bent(const bodies::Both& both, const std::vector<const char*>& joints,
                         const Vector3d& axis, double degrees) {
  const retarget::RestSkeleton& rest = both.clip_rest;
  std::vector<Transform> locals = rest.locals;
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (const char* joint : joints)
      if (rest.names[i] == joint)
        locals[i].rotation =
            locals[i].rotation * Quaterniond(Eigen::AngleAxisd(degrees * M_PI / 180.0, axis));
  return retarget::world_pose(rest.parents, locals);
}

std::vector<retarget::JointExcess> excesses(const bodies::Both& both,
                                            const retarget::WorldPose& pose) {
  const retarget::WorldMotion clip = {pose};
  const retarget::WorldMotion hero = {retarget::transfer_pose(both.between, pose, 0.0)};
  return retarget::joint_excesses(both.between, clip, hero);
}

/// The body with its arms hanging at rest, as an A pose.
NodeScene a_pose() {
  std::vector<bodies::Part> parts = bodies::t_pose();
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const char* side : {"Left", "Right"}) {
      const std::string name = parts[i].name;
      if (name != side + std::string("ForeArm") && name != side + std::string("Hand")) continue;
      const double reach = std::abs(parts[i].place.x()) - 0.17;
      parts[i].place = {(side == std::string("Left") ? 1.0 : -1.0) * (0.17 + 0.7 * reach),
                        1.38 - 0.714 * reach, 0.0};
    }
  return bodies::scene_of(parts, [](std::size_t i) {
    const auto k = static_cast<double>(i);
    return Quaterniond(Eigen::AngleAxisd(k, Vector3d(1.0, k, 2.0).normalized()));
  });
}

}  // namespace

TEST_CASE("poses of a human are within the limits, from any rest pose", "[retarget]") {
  const NodeScene clip = bodies::plain_body();
  for (const NodeScene& hero : {bodies::plain_body(), a_pose()}) {
    const bodies::Both both(clip, hero);
    CHECK(excesses(both, both.clip_rest.world).empty());
    CHECK(excesses(both, bent(both, {"LeftLeg", "RightLeg"}, Vector3d::UnitX(), 120.0)).empty());
    CHECK(excesses(both, bent(both, {"LeftForeArm"}, Vector3d::UnitY(), -130.0)).empty());
    CHECK(excesses(both, bent(both, {"RightForeArm"}, Vector3d::UnitY(), 130.0)).empty());
    CHECK(excesses(both, bent(both, {"LeftArm"}, Vector3d::UnitZ(), -85.0)).empty());
    CHECK(excesses(both, bent(both, {"RightUpLeg"}, Vector3d::UnitX(), -90.0)).empty());
  }
}

TEST_CASE("joints beyond their limits are named with their degrees", "[retarget]") {
  const NodeScene clip = bodies::plain_body();
  for (const NodeScene& hero : {bodies::plain_body(), a_pose()}) {
    const bodies::Both both(clip, hero);
    auto found = excesses(both, bent(both, {"LeftLeg"}, Vector3d::UnitX(), -40.0));
    REQUIRE(found.size() == 1);
    CHECK(found[0].joint == "LeftLeg");
    CHECK(found[0].degrees == Approx(30.0).margin(3.0));
    CHECK(found[0].in_clip == Approx(30.0).margin(3.0));
    found = excesses(both, bent(both, {"RightForeArm"}, Vector3d::UnitY(), -45.0));
    REQUIRE(found.size() == 1);
    CHECK(found[0].joint == "RightForeArm");
    CHECK(found[0].degrees == Approx(35.0).margin(1.0));
    found = excesses(both, bent(both, {"LeftHand"}, Vector3d::UnitX(), 150.0));
    REQUIRE(found.size() == 1);
    CHECK(found[0].degrees == Approx(50.0).margin(1.0));
  }
}

TEST_CASE("a skeleton without legs has no limits", "[retarget]") {
  const std::vector<bodies::Part> snake = {
      {"a", -1, {0, 0, 0}}, {"b", 0, {0, 0, 1}}, {"c", 1, {0, 0, 2}}};
  const NodeScene scene =
      bodies::scene_of(snake, [](std::size_t) { return Quaterniond::Identity(); });
  const bodies::Both both(scene, scene);
  CHECK(excesses(both, both.clip_rest.world).empty());
}

TEST_CASE("a beast has no limits, even if its spine begins upright", "[retarget]") {
  std::vector<bodies::Part> parts = bodies::t_pose();
  for (bodies::Part& part : parts) {
    const std::string name = part.name;
    if (name == "Hips" || name == "Spine" || name.find("Leg") != name.npos ||
        name.find("Foot") != name.npos || name.find("Toe") != name.npos)
      continue;
    part.place += Vector3d(0.0, -0.5, 1.0);
  }
  const NodeScene scene =
      bodies::scene_of(parts, [](std::size_t) { return Quaterniond::Identity(); });
  const bodies::Both both(scene, scene);
  CHECK(excesses(both, bent(both, {"LeftLeg"}, Vector3d::UnitX(), -90.0)).empty());
}
