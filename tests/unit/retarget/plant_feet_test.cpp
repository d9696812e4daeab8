#include "retarget/plant_feet.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "bodies.h"
#include "retarget/limb_reach.h"
#include "retarget/meet_hands.h"
#include "retarget/own_motions.h"

using namespace gvbind;
using Eigen::Vector3d;

namespace {

/// A body whose shins are longer: rotations alone let its feet slide.
NodeScene long_shins() {
  std::vector<bodies::Part> parts = bodies::t_pose();
  for (bodies::Part& part : parts) part.place.y() += 0.2;
  for (const std::size_t foot : {std::size_t{11}, std::size_t{19}})
    for (std::size_t k = 0; k < 2; ++k) parts[foot + k].place.y() -= 0.2;
  return bodies::scene_of(parts, [](std::size_t) { return Eigen::Quaterniond::Identity(); });
}

/// The hips sway over feet that stand: the knees are bent by the two-bone way.
retarget::WorldMotion swaying(const bodies::Both& same, std::size_t frames) {
  retarget::WorldMotion motion;
  for (std::size_t f = 0; f < frames; ++f) {
    retarget::WorldPose pose = same.clip_rest.world;
    const double t = 2.0 * M_PI * static_cast<double>(f) / static_cast<double>(frames - 1);
    for (Vector3d& p : pose.positions) p += Vector3d(0.05 * std::sin(t), -0.08, 0.1 * std::cos(t));
    motion.push_back(pose);
  }
  retarget::WorldMotion still(frames, same.clip_rest.world);
  retarget::plant_feet(same.between, still, 0.0, 30.0, true, motion);
  return motion;
}

/// The body sinks by 0.1 while its feet stand.
retarget::WorldMotion lowered(const bodies::Both& same, const retarget::WorldMotion& still) {
  retarget::WorldMotion motion = still;
  for (retarget::WorldPose& pose : motion)
    for (Vector3d& p : pose.positions) p.y() -= 0.1;
  retarget::plant_feet(same.between, still, 0.0, 30.0, false, motion);
  return motion;
}

}  // namespace

TEST_CASE("feet stay where those of the clip stand", "[retarget]") {
  const NodeScene scene = bodies::plain_body(), hero = long_shins();
  const bodies::Both same(scene, scene), both(scene, hero);
  const retarget::WorldMotion clip = swaying(same, 31);
  for (const retarget::WorldPose& pose : clip) {
    CHECK((pose.positions[11] - clip.front().positions[11]).norm() < 1e-6);
    CHECK((pose.positions[10] - pose.positions[9]).norm() == Approx(0.41).margin(1e-3));
  }
  retarget::WorldMotion made;
  for (const retarget::WorldPose& pose : clip)
    made.push_back(retarget::transfer_pose(both.between, pose, 0.0));
  const auto slide = [&](const retarget::WorldMotion& motion) {
    double most = 0.0;
    for (const retarget::WorldPose& pose : motion)
      most = std::max(most, (pose.positions[11] - motion.front().positions[11]).norm());
    return most;
  };
  const double before = slide(made);
  retarget::plant_feet(both.between, clip, 0.0, 30.0, true, made);
  CHECK(before > 0.005);
  CHECK(slide(made) < 1e-4);
  CHECK((made.front().positions[19] - made.back().positions[19]).norm() < 1e-6);
}

TEST_CASE("spans on the ground end where a foot is raised", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  const bodies::Both same(scene, scene);
  retarget::WorldMotion motion(10, same.clip_rest.world);
  for (std::size_t f = 4; f < 7; ++f)
    for (const std::size_t node : {std::size_t{11}, std::size_t{12}})
      motion[f].positions[node].y() += 0.2;
  const std::vector<retarget::StandingLeg> legs = retarget::standing_legs(same.between);
  REQUIRE(legs.size() == 2);  // a man stands on two
  const std::vector<retarget::GroundSpan> spans =
      retarget::ground_spans(same.between, motion, 0.0, 30.0, legs[0]);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].last == 3);
  CHECK(spans[1].first == 7);
  CHECK(retarget::ground_spans(same.between, motion, 0.0, 30.0, legs[1]).size() == 1);
}

TEST_CASE("beasts stand on their front feet, too", "[retarget]") {
  const NodeScene body = bodies::template_body("quadruped");
  NodeScene hero = body;
  for (Node& node : hero.nodes)
    if (node.name.starts_with("hand.")) node.local.translation *= 1.3;
  const NodeScene scene = retarget::own_motion("walk", body);
  const bodies::Both both(scene, hero);
  CHECK(retarget::standing_legs(both.between).size() == 4);
  const retarget::SampledMotion clip = retarget::sample_motion(scene, scene.clips[0]);
  const auto slide = [&](bool feet) {
    const retarget::WorldMotion made =
        retarget::hero_motion(both.between, clip, 0.0, {.feet = feet});
    return retarget::motion_figures(both.between, clip.poses, 0.0, clip.rate, made).foot_slide;
  };
  CHECK(slide(false) > 0.03);
  CHECK(slide(true) < 0.01);
  const NodeScene bird = bodies::template_body("bird");
  CHECK(retarget::standing_legs(bodies::Both(bird, bird).between).size() == 2);
}

TEST_CASE("a body of one straight leg bends it forwards", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  for (std::size_t i = 17; i < 21; ++i) scene.nodes[i].name = "peg";
  scene.nodes[10].local.translation = {0, -0.41, 0};
  scene.nodes[11].local.translation = {0, -0.41, 0};
  const bodies::Both same(scene, scene);
  const retarget::WorldMotion still(3, same.clip_rest.world);
  const retarget::WorldMotion motion = lowered(same, still);
  CHECK((motion[1].positions[11] - still[1].positions[11]).norm() < 1e-6);
  CHECK(motion[1].positions[10].z() > still[1].positions[10].z() + 0.05);
}

TEST_CASE("a limb is as long as its bones allow", "[retarget]") {
  CHECK(retarget::reachable_length(1.0, 0.5, 1.2, 0.9) == 1.2);
  CHECK(retarget::reachable_length(1.0, 0.5, 9.0, 0.9) == Approx(1.5).epsilon(1e-3));
  CHECK(retarget::reachable_length(0.5, 1.0, 0.0, 0.9) == Approx(0.5).epsilon(1e-5));
  CHECK(retarget::reachable_length(1.0, 1e-4, 0.3, 0.9999) == 0.9999);
}

TEST_CASE("a shin of next to no length is not bent", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  for (const std::size_t foot : {std::size_t{11}, std::size_t{19}})
    scene.nodes[foot].local.translation = {0, -1e-5, 0};
  const bodies::Both same(scene, scene);
  const retarget::WorldMotion still(3, same.clip_rest.world);
  const retarget::WorldMotion motion = lowered(same, still);
  for (const Vector3d& p : motion[1].positions) CHECK(p.allFinite());
  CHECK((motion[1].positions[10] - motion[1].positions[9]).norm() ==
        Approx((still[1].positions[10] - still[1].positions[9]).norm()));
}

TEST_CASE("hands that meet in the clip meet on broader shoulders", "[retarget]") {
  const NodeScene clip = bodies::plain_body();
  std::vector<bodies::Part> parts = bodies::t_pose();
  for (std::size_t i = 6; i < parts.size(); ++i)
    if (std::abs(parts[i].place.x()) > 0.15)
      parts[i].place.x() += parts[i].place.x() > 0 ? 0.15 : -0.15;
  const NodeScene hero = bodies::scene_of(parts, [](std::size_t i) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(static_cast<double>(i), Vector3d::UnitY()));
  });
  const bodies::Both both(clip, hero);
  const auto folded = [&](double elbow) {
    std::vector<Transform> locals = both.clip_rest.locals;
    for (std::size_t i = 0; i < locals.size(); ++i) {
      const std::string& name = both.clip_rest.names[i];
      const double side = name.starts_with("Left") ? -1.0 : 1.0;
      const double degrees = name.ends_with("ForeArm") ? elbow : name.ends_with("Arm") ? 60.0 : 0.0;
      locals[i].rotation =
          locals[i].rotation * Eigen::AngleAxisd(side * degrees * M_PI / 180.0, Vector3d::UnitY());
    }
    return retarget::world_pose(both.clip_rest.parents, locals);
  };
  const auto apart = [](const retarget::WorldPose& pose) {
    return Vector3d(pose.positions[8] - pose.positions[16]);  // both bodies have hands there
  };
  for (const double elbow : {90.0, 0.0}) {
    const retarget::WorldMotion motion = {folded(elbow)};
    retarget::WorldMotion made = {retarget::transfer_pose(both.between, motion[0], 0.0)};
    const retarget::WorldPose before = made[0];
    CHECK(apart(before).norm() > apart(motion[0]).norm() + 0.2);
    retarget::meet_hands(both.between, motion, made);
    if (elbow > 0.0) {
      CHECK((apart(made[0]) - apart(motion[0])).norm() < 1e-3);
      CHECK(made[0].rotations[8].angularDistance(before.rotations[8]) < 1e-6);
    } else {
      CHECK((apart(made[0]) - apart(before)).norm() < 1e-9);  // far from each other
    }
  }
}
