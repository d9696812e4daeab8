#include "retarget/retarget_clip.h"

#include <catch2/catch.hpp>
#include <limits>

#include "bodies.h"
#include "character/pose_scene.h"

using namespace gvbind;

TEST_CASE("channels play the motion within a tenth of a degree", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  const bodies::Both both(scene, scene);
  const Clip clip = bodies::some_motion(scene, 40);
  const retarget::RetargetedClip made =
      retarget::retarget_clip(both.between, scene, clip, scene, {.feet = false});
  CHECK(made.frames == 40);
  CHECK(made.clip.name == "some");
  std::size_t keys = 0;
  for (const Channel& channel : made.clip.channels) keys += channel.times.size();
  CHECK(keys < 40 * clip.channels.size());
  for (const double seconds : {0.0, 0.4, 1.0}) {
    const ScenePose before = pose_scene(scene, clip, seconds),
                    after = pose_scene(scene, made.clip, seconds);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
      CHECK(before.locals[i].rotation.angularDistance(after.locals[i].rotation) <
            2.1 * M_PI / 1800);
  }
  CHECK(made.figures.joints_moved == made.figures.joints_to_move);
  CHECK(made.figures.hands_off < 1e-3);
  CHECK(retarget::motion_findings(made.figures, "some").empty());
}

TEST_CASE("the figures are those of the keys as they play", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  const bodies::Both both(scene, scene);
  const Clip clip = bodies::some_motion(scene, 40);
  const auto made = [&](retarget::RootMotion root) {
    return retarget::retarget_clip(both.between, scene, clip, scene, {.feet = false, .root = root});
  };
  const retarget::RetargetedClip kept = made(retarget::RootMotion::keep);
  std::vector<int> parents;
  for (const Node& node : scene.nodes) parents.push_back(node.parent);
  const auto arm = [&](const Clip& of, double seconds, const std::string& side) {
    const retarget::WorldPose pose =
        retarget::world_pose(parents, pose_scene(scene, of, seconds).locals);
    const auto place = [&](const char* part) {
      return pose.positions[both.between.hero.roles.first(part + side)];
    };
    return Eigen::Vector3d(place("hand") - place("upper_arm"));
  };
  double sum = 0.0;
  const std::vector<double> times = retarget::sample_motion(scene, clip).times;
  for (const double seconds : times)
    for (const std::string side : {".L", ".R"})
      sum += (arm(kept.clip, seconds, side) - arm(clip, seconds, side)).norm();
  const double mean = sum / static_cast<double>(2 * times.size()) / (2.0 * both.between.leg);
  CHECK(mean > 1e-6);
  CHECK(kept.figures.hands_off == Approx(mean).epsilon(1e-3));
  CHECK(made(retarget::RootMotion::in_place).figures.foot_slide ==
        Approx(kept.figures.foot_slide).margin(2e-3));
}

TEST_CASE("in place, the way is taken out", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  const bodies::Both both(scene, scene);
  const retarget::RetargetedClip made =
      retarget::retarget_clip(both.between, scene, bodies::some_motion(scene, 31), scene,
                              {.feet = false, .root = retarget::RootMotion::in_place});
  const auto hips = [&](double seconds) {
    return pose_scene(scene, made.clip, seconds).locals[0].translation;
  };
  CHECK(std::abs(hips(1.0).z() - hips(0.0).z()) < 0.1);
}

TEST_CASE("a clip of one frame is a pose, and endless or broken ones are refused", "[retarget]") {
  const NodeScene scene = bodies::plain_body();
  CHECK(retarget::sample_motion(scene, bodies::some_motion(scene, 1)).poses.size() == 1);
  Clip clip = bodies::some_motion(scene, 2);
  clip.channels[3].times.back() = 36000.0;
  CHECK_THROWS_WITH(retarget::sample_motion(scene, clip), Catch::Contains("36000 seconds"));
  clip = bodies::some_motion(scene, 2);
  clip.channels[3].values[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(retarget::sample_motion(scene, clip), Catch::Contains("not a finite number"));
}

TEST_CASE("figures beyond their limits become findings", "[retarget]") {
  retarget::MotionFigures figures;
  figures.foot_slide = 0.1;
  figures.penetration = 0.1;
  figures.largest_jump = 90.0;
  figures.still_joints = {"arm"};
  figures.excesses = {{"knee", 60.0, 55.0}, {"neck", 40.0, 0.0}};
  const Findings findings = retarget::motion_findings(figures, "walk");
  REQUIRE(findings.size() == 5);
  CHECK(findings[0].code == "motion-slide");
  CHECK(findings[3].message ==
        "walk: joint 'neck' turns 40 degrees farther than a human's, in the clip 0");
  CHECK(findings[4].message == "walk: joint 'arm' does not move, but does in the clip");
}
