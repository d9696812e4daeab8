#include "retarget/bvh_motion.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "character/pose_scene.h"
#include "gvbind/error.h"
#include "retarget/rest_skeleton.h"

using namespace gvbind;

namespace {

const std::string head =
    "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 90 0\n  CHANNELS 6 Xposition Yposition Zposition "
    "Zrotation Xrotation Yrotation\n  JOINT Leg\n  {\n    OFFSET 10 0 0\n    CHANNELS 3 Yrotation "
    "Xrotation Zrotation\n    End Site\n    {\n      OFFSET 0 -40 0\n    }\n  }\n}\n";

NodeScene read(const std::string& text) {
  return retarget::read_bvh({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                            "a.bvh");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a BVH becomes nodes and one clip", "[retarget]") {
  const NodeScene scene = read(
      head + "MOTION\nFrames: 2\nFrame Time: 0.5\n0 90 0 0 0 0 0 0 0\n1 2 3 90 0 0 30 40 50\n");
  REQUIRE(scene.nodes.size() == 3);
  CHECK(scene.nodes[2].name == "Leg end");
  CHECK_FALSE(scene.nodes[2].is_joint);
  CHECK(scene.nodes[2].parent == 1);
  REQUIRE(scene.clips.size() == 1);
  CHECK(scene.clips[0].name == "a");
  const ScenePose pose = pose_scene(scene, scene.clips[0], 0.5);
  CHECK(pose.locals[0].translation.isApprox(Eigen::Vector3d(1, 2, 3)));
  const double degree = M_PI / 180.0;
  // The first channel is the outermost turn.
  const Eigen::Quaterniond leg(Eigen::AngleAxisd(30 * degree, Eigen::Vector3d::UnitY()) *
                               Eigen::AngleAxisd(40 * degree, Eigen::Vector3d::UnitX()) *
                               Eigen::AngleAxisd(50 * degree, Eigen::Vector3d::UnitZ()));
  CHECK(pose.locals[1].rotation.angularDistance(leg) < 1e-6);
  CHECK(retarget::world_pose({-1, 0, 1}, pose.locals)
            .positions[1]
            .isApprox(Eigen::Vector3d(1, 12, 3)));
}

TEST_CASE("few digits of the time of a frame mean a whole number of frames a second",
          "[retarget]") {
  const auto second_key = [](const std::string& step) {
    const NodeScene scene = read(head + "MOTION\nFrames: 2\nFrame Time: " + step +
                                 "\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0 0\n");
    return scene.clips[0].channels[0].times[1];
  };
  CHECK(second_key("0.041667") == 1.0 / 24.0);
  CHECK(second_key("0.0333") == 1.0 / 30.0);
  CHECK(second_key("0.00833333") == 1.0 / 120.0);
  CHECK(second_key("0.0333667") == 0.0333667);  // of 29.97 frames a second
  CHECK(second_key("1") == 1.0);
}

TEST_CASE("a broken BVH is refused with its line", "[retarget]") {
  CHECK(refusal("") == "a.bvh: line 1: the file ends where 'HIERARCHY' belongs");
  CHECK(refusal(head + "MOTION\nFrames: 1\nFrame Time: 0.1\n0 90 0 nan 0 0 0 0 0\n") ==
        "a.bvh: line 19: 'nan' is no number that a pose can have");
  CHECK(refusal(head + "MOTION\nFrames: 1\nFrame Time: 0.1\n0 90\n").find("the file ends") !=
        std::string::npos);
  CHECK(refusal(head + "MOTION\nFrames: 99999999\nFrame Time: 0.1\n0 90\n").find("too short") !=
        std::string::npos);
  CHECK(refusal(head + "MOTION\nFrames: 0\nFrame Time: 0.1\n").find("no frame") !=
        std::string::npos);
  CHECK(refusal(head + "MOTION\nFrames: 1\nFrame Time: 1049.3\n0\n") ==
        "a.bvh: line 18: a frame takes more than 10 seconds");
  CHECK(refusal("HIERARCHY\nROOT a\n{\nMOTION\nFrames: 1\nFrame Time: 1\n0\n").find("'MOTION'") !=
        std::string::npos);
  CHECK(refusal("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 1\nFrame Time: 1\n") ==
        "a.bvh: line 7: no joint has channels");
  CHECK(refusal("HIERARCHY\nROOT a\n{\nCHANNELS 1 Wrotation\n").find("'Wrotation' is no channel") !=
        std::string::npos);
  std::string deep = "HIERARCHY\nROOT a\n{\n";
  for (int i = 0; i < 600; ++i) deep += "JOINT b\n{\n";
  CHECK(refusal(deep).find("nested too deeply") != std::string::npos);
}
