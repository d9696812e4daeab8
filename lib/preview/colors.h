#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind::preview {

/// Linear RGB. Joints never get a similar hue.
inline const Eigen::Vector3f no_weight_color{1.0F, 0.0F, 0.70F};
inline const Eigen::Vector3f no_skin_color{0.40F, 0.40F, 0.41F};

/// A color per joint: the closer two joints are in the tree and in space, the more their hues
/// differ. Depends only on the joints' order, parents and positions.
std::vector<Eigen::Vector3f> joint_colors(std::span<const SceneJoint> joints);

/// From OKLCH: lightness 0 to 1, chroma, hue in degrees. Clamped to sRGB.
Eigen::Vector3f oklch_color(double lightness, double chroma, double hue_degrees);

/// A color per vertex: the joint's weight as heat_color(), no_skin_color in a mesh without a skin.
std::vector<Eigen::Vector3f> joint_heat_colors(const SceneMesh& mesh, std::size_t joint);

/// A color per vertex: joint colors blended by weight, no_weight_color for vertices without weight,
/// no_skin_color in a mesh without a skin.
std::vector<Eigen::Vector3f> weight_colors(const SceneMesh& mesh,
                                           std::span<const Eigen::Vector3f> colors);

/// From 0 to 1: dark blue, green, yellow, red. Lightness rises up to yellow, so that it is readable
/// without color.
Eigen::Vector3f heat_color(double value);

/// Linear 0..1 -> sRGB byte, clamped.
std::uint8_t srgb_byte(float linear);

/// srgb_byte() by a table, exact to one step.
class SrgbTable {
 public:
  SrgbTable();
  std::uint8_t operator()(float linear) const {
    return bytes_[static_cast<std::size_t>(std::clamp(linear, 0.0F, 1.0F) * last_ + 0.5F)];
  }

 private:
  static constexpr float last_ = 8191.0F;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace gvbind::preview
