#include "preview/colors.h"

#include <catch2/catch.hpp>

namespace gvbind {
namespace {

/// A spine of three joints with two arms of four.
std::vector<SceneJoint> skeleton() {
  const int parents[] = {-1, 0, 1, 2, 3, 4, 5, 2, 7, 8, 9};
  const double x[] = {0, 0, 0, 1, 3, 6, 7, -1, -3, -6, -7};
  const double y[] = {0, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5};
  std::vector<SceneJoint> joints(11);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].parent = parents[j];
    joints[j].bind.translation() = Eigen::Vector3d(x[j], y[j], 0);
  }
  return joints;
}

/// Hue in degrees.
double hue(const Eigen::Vector3f& color) {
  const double a = color.x() - 0.5 * (color.y() + color.z());
  const double b = std::sqrt(0.75) * (color.y() - color.z());
  return std::atan2(b, a) * 180.0 / M_PI;
}

double hue_apart(const Eigen::Vector3f& a, const Eigen::Vector3f& b) {
  const double apart = std::abs(hue(a) - hue(b));
  return std::min(apart, 360.0 - apart);
}

}  // namespace

TEST_CASE("a joint's hue is far from its parent's") {
  const auto joints = skeleton();
  const auto colors = preview::joint_colors(joints);
  REQUIRE(colors.size() == joints.size());
  for (std::size_t j = 1; j < joints.size(); ++j) {
    INFO("joint " << j);
    CHECK(hue_apart(colors[j], colors[static_cast<std::size_t>(joints[j].parent)]) > 60.0);
  }
}

TEST_CASE("joints never have the hue of vertices without weight and are never gray") {
  std::vector<SceneJoint> joints(60);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].parent = static_cast<int>(j) - 1;
    joints[j].bind.translation().x() = static_cast<double>(j);
  }
  for (const Eigen::Vector3f& color : preview::joint_colors(joints)) {
    CHECK((color - preview::no_weight_color).norm() > 0.4F);
    CHECK(color.maxCoeff() - color.minCoeff() > 0.2F);
    CHECK(color.minCoeff() >= 0.0F);
    CHECK(color.maxCoeff() <= 1.0F);
  }
}

TEST_CASE("weights blend the colors of their joints") {
  SceneMesh mesh;
  mesh.positions.resize(4);
  mesh.weights.joint = {0, 1, 0, 1};
  mesh.weights.weight = {1.0F, 0.75F, 0.25F, 0.0F};
  mesh.weights.first = {0, 1, 3, 3, 4};
  const std::vector<Eigen::Vector3f> joints = {{1, 0, 0}, {0, 0, 1}};
  const auto colors = preview::weight_colors(mesh, joints);
  CHECK(colors[0] == joints[0]);
  CHECK((colors[1] - Eigen::Vector3f(0.25F, 0, 0.75F)).norm() < 1e-6F);
  CHECK(colors[2] == preview::no_weight_color);
  CHECK(colors[3] == preview::no_weight_color);
}

TEST_CASE("a mesh without a skin is gray") {
  SceneMesh mesh;
  mesh.positions.resize(2);
  for (const Eigen::Vector3f& color : preview::weight_colors(mesh, {}))
    CHECK(color == preview::no_skin_color);
}

TEST_CASE("linear light becomes sRGB") {
  CHECK(preview::srgb_byte(0.0F) == 0);
  CHECK(preview::srgb_byte(-1.0F) == 0);
  CHECK(preview::srgb_byte(1.0F) == 255);
  CHECK(preview::srgb_byte(2.0F) == 255);
  CHECK(preview::srgb_byte(0.5F) == 188);
  CHECK(preview::srgb_byte(0.2140F) == 127);
  const preview::SrgbTable table;
  for (int i = -10; i <= 1010; ++i) {
    const float v = static_cast<float>(i) / 1000.0F;
    CHECK(std::abs(static_cast<int>(table(v)) - static_cast<int>(preview::srgb_byte(v))) <= 1);
  }
}

}  // namespace gvbind
