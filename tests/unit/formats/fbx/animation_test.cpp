#include "formats/fbx/animation.h"

#include <catch2/catch.hpp>

#include "formats/clip.h"
#include "formats/fbx/samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

constexpr long long second = 46186158000;

std::string curve_text(int id, const std::string& times, const std::string& values) {
  return "\tAnimationCurve: " + std::to_string(id) +
         ", \"AnimCurve::\", \"\" {\n\t\tKeyTime: *2 {\n\t\t\ta: " + times +
         "\n\t\t}\n\t\tKeyValueFloat: *2 {\n\t\t\ta: " + values + "\n\t\t}\n\t}\n";
}

std::string empty_text(const std::string& kind, int id, const std::string& name) {
  return "\t" + kind + ": " + std::to_string(id) + ", \"" + name + "\", \"\" {\n\t}\n";
}

std::string property_link(int child, int parent, const std::string& property) {
  return "\tC: \"OP\"," + std::to_string(child) + "," + std::to_string(parent) + ", \"" + property +
         "\"\n";
}

/// Two joints, one above the other along y. From 1 to 3 seconds, the stack "Walk" rotates the upper
/// one by 90 degrees about z and moves the lower one by 10 along x.
std::string walking(const std::string& turn_values = "0,90") {
  const std::string times = std::to_string(second) + "," + std::to_string(3 * second);
  return ascii_text(
      model_text(1, "hip", "LimbNode") +
          model_text(2, "chest", "LimbNode", vector_text("Lcl Translation", 0, 5, 0)) +
          empty_text("AnimationStack", 10, "AnimStack::Walk") +
          empty_text("AnimationLayer", 11, "AnimLayer::Base") +
          empty_text("AnimationCurveNode", 12, "AnimCurveNode::R") +
          empty_text("AnimationCurveNode", 13, "AnimCurveNode::T") +
          curve_text(14, times, turn_values) + curve_text(15, times, "0,10"),
      link_text(1, 0) + link_text(2, 1) + link_text(11, 10) + link_text(12, 11) +
          link_text(13, 11) + property_link(12, 2, "Lcl Rotation") +
          property_link(13, 1, "Lcl Translation") + property_link(14, 12, "d|Z") +
          property_link(15, 13, "d|X"));
}

Eigen::Vector3d placed(const std::string& text, double seconds, const Eigen::Vector3d& point) {
  const auto document = parse_text(text);
  return animated_transforms(*document, objects_of(*document), 0, seconds).at(2) * point;
}

bool near(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (a - b).norm() < 1e-6; }

}  // namespace

TEST_CASE("stacks are listed by name") {
  const auto document = parse_text(walking());
  CHECK(animation_names(objects_of(*document)) == std::vector<std::string>{"Walk"});
  CHECK(clip_names(Document(document)) == std::vector<std::string>{"Walk"});
}

TEST_CASE("curves move models between their keys, and the models below") {
  CHECK(near(placed(walking(), 0, {1, 0, 0}), {1, 5, 0}));
  CHECK(near(placed(walking(), 3, {1, 0, 0}), {10, 6, 0}));
  CHECK(near(placed(walking(), 9, {1, 0, 0}), {10, 6, 0}));
  const double diagonal = std::sqrt(0.5);
  CHECK(near(placed(walking(), 2, {1, 0, 0}), {5 + diagonal, 5 + diagonal, 0}));
}

TEST_CASE("a pose of a clip takes vertices from where they were bound") {
  Findings findings;
  const Document document = parse_text(walking());
  const Scene scene = scene_of(document, {}, findings);
  REQUIRE(scene.joints.size() == 2);
  const auto pose = clip_pose(document, scene, 0, 3.0);
  CHECK(near(pose[0] * Eigen::Vector3d(0, 0, 0), {10, 0, 0}));
  CHECK(near(pose[1] * Eigen::Vector3d(0, 6, 0), {9, 5, 0}));
}

TEST_CASE("a curve with fewer values than keys is refused") {
  CHECK_THROWS_AS(placed(walking("0"), 2, {1, 0, 0}), Error);
}
