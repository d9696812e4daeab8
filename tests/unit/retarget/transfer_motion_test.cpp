#include "retarget/transfer_motion.h"

#include <catch2/catch.hpp>
#include <cmath>

#include <algorithm>

#include "bodies.h"
#include "retarget/local_pose.h"

using namespace gvbind;
using Eigen::Quaterniond;
using Eigen::Vector3d;

TEST_CASE("a motion on its own skeleton is the same motion", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  const bodies::Both both(scene, scene);
  const retarget::SampledMotion motion = retarget::sample_motion(scene, bodies::some_motion(scene));
  const double shift = retarget::ground_shift(both.between, motion.poses);
  CHECK(shift == 0.0);
  for (const retarget::WorldPose& pose : motion.poses) {
    const retarget::WorldPose made = retarget::transfer_pose(both.between, pose, shift);
    for (std::size_t i = 0; i < made.positions.size(); ++i) {
      CHECK((made.positions[i] - pose.positions[i]).norm() < 1e-5);
      CHECK(made.rotations[i].angularDistance(pose.rotations[i]) < 1e-5);
    }
  }
}

namespace {

/// The same body with other names, axes that differ from joint to joint, twice the size, and arms
/// that hang by 45 degrees.
NodeScene other_body() {
  std::vector<bodies::Part> parts = bodies::t_pose();
  static const char* const names[] = {
      "pelvis",     "spine_01",   "spine_02", "neck_01", "head",   "clavicle_l", "upperarm_l",
      "lowerarm_l", "hand_l",     "thigh_l",  "calf_l",  "foot_l", "ball_l",     "clavicle_r",
      "upperarm_r", "lowerarm_r", "hand_r",   "thigh_r", "calf_r", "foot_r",     "ball_r"};
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].name = names[i];
  for (const std::size_t arm : {std::size_t{6}, std::size_t{14}}) {
    const double side = arm == 6 ? -1.0 : 1.0;
    const Quaterniond down(Eigen::AngleAxisd(side * M_PI / 4.0, Vector3d::UnitZ()));
    for (std::size_t k = 1; k <= 2; ++k)
      parts[arm + k].place = parts[arm].place + down * (parts[arm + k].place - parts[arm].place);
  }
  for (bodies::Part& part : parts) part.place *= 2.0;
  return bodies::scene_of(parts, [](std::size_t i) {
    const double k = static_cast<double>(i);
    return Quaterniond(Eigen::AngleAxisd(
        2.0 * std::sin(7.0 * k), Vector3d(std::cos(k), std::sin(2.0 * k), 0.5).normalized()));
  });
}

}  // namespace

TEST_CASE("bones point alike on a skeleton of other names, axes and rest pose", "[retarget]") {
  const NodeScene scene = bodies::plain_body(), hero = other_body();
  const bodies::Both both(scene, hero);
  CHECK(both.between.ratio == Approx(2.0));
  CHECK(both.between.map.pairs.size() == scene.nodes.size());
  const retarget::SampledMotion motion = retarget::sample_motion(scene, bodies::some_motion(scene));
  for (const retarget::WorldPose& pose : motion.poses) {
    const retarget::WorldPose made = retarget::transfer_pose(both.between, pose, 0.0);
    for (std::size_t i = 1; i < made.positions.size(); ++i) {
      const auto p = static_cast<std::size_t>(scene.nodes[i].parent);
      const Vector3d own = (made.positions[i] - made.positions[p]).normalized(),
                     clip = (pose.positions[i] - pose.positions[p]).normalized();
      INFO(scene.nodes[i].name);
      CHECK((own - clip).norm() < 1e-5);
    }
    CHECK((made.positions[0] - 2.0 * pose.positions[0]).norm() < 1e-5);
  }
}

TEST_CASE("local transforms give the world pose again", "[retarget]") {
  const NodeScene scene = bodies::plain_body(), hero = other_body();
  const bodies::Both both(scene, hero);
  const retarget::SampledMotion motion =
      retarget::sample_motion(scene, bodies::some_motion(scene, 3));
  const retarget::WorldPose made = retarget::transfer_pose(both.between, motion.poses.back(), 0.0);
  const retarget::RestSkeleton& skeleton = both.between.hero.skeleton;
  const retarget::WorldPose again = retarget::world_pose(
      skeleton.parents, retarget::local_pose(skeleton, made, retarget::moved_nodes(both.between)));
  for (std::size_t i = 0; i < made.positions.size(); ++i)
    CHECK((made.positions[i] - again.positions[i]).norm() < 1e-9);
}

TEST_CASE("an arm that a negative scale mirrors moves as it does without", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  NodeScene hero = scene;
  const std::size_t arm = 14;  // with all below it
  const Vector3d mirror(-1.0, 1.0, 1.0);
  hero.nodes[arm].local.scale = mirror;
  for (std::size_t i = arm + 1; i <= arm + 2; ++i) {
    hero.nodes[i].local.translation = mirror.cwiseProduct(scene.nodes[i].local.translation);
    hero.nodes[i].local.rotation = retarget::mirrored(scene.nodes[i].local.rotation, mirror);
  }
  const bodies::Both both(scene, hero);
  const Clip clip = bodies::some_motion(scene, 6);
  const retarget::SampledMotion sampled = retarget::sample_motion(scene, clip);
  const retarget::RetargetedClip made =
      retarget::retarget_clip(both.between, scene, clip, hero, {.feet = false});
  const retarget::SampledMotion played = retarget::sample_motion(hero, made.clip);
  REQUIRE(played.poses.size() == sampled.poses.size());
  for (std::size_t f = 0; f < played.poses.size(); ++f)
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
      INFO(scene.nodes[i].name);
      CHECK((played.poses[f].positions[i] - sampled.poses[f].positions[i]).norm() < 5e-3);
    }
}

TEST_CASE("a clip with the floor at its hips stands on the hero's floor", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  const Clip clip = bodies::some_motion(scene, 4);
  NodeScene at_origin = scene;
  at_origin.nodes[0].local.translation.setZero();  // the channels hold the height
  const bodies::Both both(at_origin, scene);
  const retarget::SampledMotion motion = retarget::sample_motion(at_origin, clip);
  const double shift = retarget::ground_shift(both.between, motion.poses);
  CHECK(shift == Approx(0.95).margin(0.1));
  const retarget::WorldPose made =
      retarget::transfer_pose(both.between, motion.poses.front(), shift);
  CHECK(made.positions[0].y() == Approx(0.95).margin(0.1));
}

TEST_CASE("on its own skeleton a clip plays as it is, with joints that slide", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  const bodies::Both both(scene, scene);
  Clip clip = bodies::some_motion(scene, 12);
  Channel slide;
  slide.node = 5;  // a shoulder
  slide.path = Channel::Path::translation;
  for (int f = 0; f < 12; ++f) {
    const Vector3d at = scene.nodes[5].local.translation + Vector3d(0.0, 0.01 * f, 0.003 * f);
    slide.times.push_back(f / 30.0);
    slide.values.insert(slide.values.end(), at.begin(), at.end());
  }
  clip.channels.push_back(slide);
  const retarget::SampledMotion sampled = retarget::sample_motion(scene, clip);
  const retarget::WorldMotion made =
      retarget::hero_motion(both.between, sampled, 0.0, {.feet = false});
  for (std::size_t f = 0; f < made.size(); ++f)
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
      CHECK((made[f].positions[i] - sampled.poses[f].positions[i]).norm() < 1e-9);
  const retarget::RetargetedClip written =
      retarget::retarget_clip(both.between, scene, clip, scene, {.feet = false});
  CHECK(std::ranges::count_if(written.clip.channels, [](const Channel& channel) {
          return channel.path == Channel::Path::translation;
        }) == 2);
}

TEST_CASE("joints that a clip of the same skeleton leaves at rest keep the hero's rest",
          "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  NodeScene hero = scene;
  hero.nodes[4].local.rotation = Quaterniond(Eigen::AngleAxisd(0.4, Vector3d::UnitX()));  // head
  Clip clip = bodies::some_motion(scene, 12);
  std::erase_if(clip.channels, [](const Channel& channel) { return channel.node == 4; });
  const bodies::Both both(scene, hero);
  REQUIRE(both.between.same_axes);
  const retarget::SampledMotion sampled = retarget::sample_motion(scene, clip);
  const retarget::WorldMotion made =
      retarget::hero_motion(both.between, sampled, 0.0, {.feet = false});
  for (const retarget::WorldPose& pose : made) {
    const Quaterniond local = pose.rotations[3].conjugate() * pose.rotations[4];
    CHECK(local.angularDistance(hero.nodes[4].local.rotation) < 1e-9);
  }
}
