#include "retarget/plant_feet.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "bodies.h"

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
  const std::vector<retarget::GroundSpan> spans =
      retarget::ground_spans(same.between, motion, 0.0, 30.0, ".L");
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].last == 3);
  CHECK(spans[1].first == 7);
  CHECK(retarget::ground_spans(same.between, motion, 0.0, 30.0, ".R").size() == 1);
}

TEST_CASE("a body of one straight leg bends it forwards", "[retarget]") {
  NodeScene scene = bodies::plain_body();
  for (std::size_t i = 17; i < 21; ++i) scene.nodes[i].name = "peg";
  scene.nodes[10].local.translation = {0, -0.41, 0};
  scene.nodes[11].local.translation = {0, -0.41, 0};
  const bodies::Both same(scene, scene);
  const retarget::WorldMotion still(3, same.clip_rest.world);
  retarget::WorldMotion motion = still;
  for (retarget::WorldPose& pose : motion)
    for (Vector3d& p : pose.positions) p.y() -= 0.1;
  retarget::plant_feet(same.between, still, 0.0, 30.0, false, motion);
  CHECK((motion[1].positions[11] - still[1].positions[11]).norm() < 1e-6);
  CHECK(motion[1].positions[10].z() > still[1].positions[10].z() + 0.05);
}
