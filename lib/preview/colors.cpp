#include "preview/colors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gvbind::preview {

Eigen::Vector3f oklch_color(double lightness, double chroma, double hue_degrees) {
  const double hue = hue_degrees * M_PI / 180.0;
  const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
  const Eigen::Vector3d roots(lightness + 0.3963377774 * a + 0.2158037573 * b,
                              lightness - 0.1055613458 * a - 0.0638541728 * b,
                              lightness - 0.0894841775 * a - 1.2914855480 * b);
  const Eigen::Vector3d lms = roots.array().cube();
  Eigen::Matrix3d to_rgb;
  to_rgb << 4.0767416621, -3.3077115913, 0.2309699292, -1.2684380046, 2.6097574011, -0.3413193965,
      -0.0041960863, -0.7034186147, 1.7076147010;
  return (to_rgb * lms).cwiseMax(0.0).cwiseMin(1.0).cast<float>();
}

namespace {

// Hues of OKLCH at equal steps, except around magenta (about 328), in two tones.
constexpr int hue_count = 11;
constexpr int tone_count = 2;
constexpr int color_count = hue_count * tone_count;
constexpr double first_hue = 25.0, hue_step = 28.0;

Eigen::Vector3f palette(int color) {
  const int hue = color % hue_count, tone = color / hue_count;
  const double degrees = first_hue + hue * hue_step;
  // Yellows are recognizable only if light, blues only if dark.
  const double lift = 0.07 * std::cos((degrees - 105.0) * M_PI / 180.0);
  return tone == 0 ? oklch_color(0.74 + lift, 0.18, degrees)
                   : oklch_color(0.55 + lift, 0.16, degrees);
}

/// Similarity of two colors of the palette, 0 to 1.
double likeness(int a, int b) {
  const int apart = std::abs(a % hue_count - b % hue_count);
  // The gap around magenta counts as an additional step.
  const int steps = std::min(apart, hue_count + 1 - apart);
  const double tone = a / hue_count == b / hue_count ? 1.0 : 0.8;
  return tone / (1.0 + steps * steps);
}

/// Closeness of two joints: 1 and more in the tree, up to 1 in space.
double nearness(std::span<const SceneJoint> joints, std::size_t a, std::size_t b, double extent) {
  const auto parent = [&](std::size_t j) { return joints[j].parent; };
  double near = 0.0;
  if (parent(a) == static_cast<int>(b)) near += 4.0;
  if (parent(a) == parent(b) && parent(a) >= 0) near += 2.0;
  if (parent(a) >= 0 && joints[parent(a)].parent == static_cast<int>(b)) near += 2.0;
  const double distance = (joints[a].bind.translation() - joints[b].bind.translation()).norm();
  const double relative = extent > 0.0 ? 12.0 * distance / extent : 0.0;
  return near + 1.0 / (1.0 + relative * relative);
}

double joint_extent(std::span<const SceneJoint> joints) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(HUGE_VAL), high = -low;
  for (const SceneJoint& joint : joints) {
    low = low.cwiseMin(joint.bind.translation());
    high = high.cwiseMax(joint.bind.translation());
  }
  return joints.empty() ? 0.0 : (high - low).norm();
}

}  // namespace

std::vector<Eigen::Vector3f> joint_colors(std::span<const SceneJoint> joints) {
  // For hundreds of thousands of joints comparing all pairs would take minutes; close joints are
  // close in the order too.
  constexpr std::size_t max_compared = 512;
  const double extent = joint_extent(joints);
  std::vector<int> chosen(joints.size(), -1);
  std::vector<Eigen::Vector3f> colors(joints.size());
  std::array<int, color_count> used{};
  for (std::size_t j = 0; j < joints.size(); ++j) {
    std::array<double, color_count> taken{};
    for (std::size_t other = j - std::min(j, max_compared); other < j; ++other)
      taken[chosen[other]] += nearness(joints, j, other, extent);
    int best = 0;
    double best_cost = HUGE_VAL;
    for (int c = 0; c < color_count; ++c) {
      double cost = 0.05 * used[c];
      for (int t = 0; t < color_count; ++t) cost += taken[t] * likeness(c, t);
      if (cost < best_cost) {
        best = c;
        best_cost = cost;
      }
    }
    chosen[j] = best;
    ++used[best];
    colors[j] = palette(best);
  }
  return colors;
}

std::vector<Eigen::Vector3f> weight_colors(const SceneMesh& mesh,
                                           std::span<const Eigen::Vector3f> colors) {
  const SkinWeights& weights = mesh.weights;
  std::vector<Eigen::Vector3f> result(mesh.positions.size(),
                                      weights.empty() ? no_skin_color : no_weight_color);
  for (std::size_t v = 0; v < std::min(result.size(), weights.vertex_count()); ++v) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    float total = 0.0F;
    for (std::size_t k = weights.first[v]; k < weights.first[v + 1]; ++k) {
      if (weights.joint[k] >= colors.size()) continue;
      sum += weights.weight[k] * colors[weights.joint[k]];
      total += weights.weight[k];
    }
    if (total > 0.0F) result[v] = sum / total;
  }
  return result;
}

Eigen::Vector3f heat_color(double value) {
  static const std::array<Eigen::Vector3f, 5> stops = {
      oklch_color(0.36, 0.12, 270.0), oklch_color(0.58, 0.11, 220.0),
      oklch_color(0.74, 0.19, 145.0), oklch_color(0.88, 0.18, 100.0),
      oklch_color(0.62, 0.24, 28.0)};
  const double at = std::clamp(value, 0.0, 1.0) * (stops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const auto part = static_cast<float>(at - static_cast<double>(low));
  return stops[low] + part * (stops[low + 1] - stops[low]);
}

std::vector<Eigen::Vector3f> joint_heat_colors(const SceneMesh& mesh, std::size_t joint) {
  const SkinWeights& weights = mesh.weights;
  std::vector<Eigen::Vector3f> result(mesh.positions.size(),
                                      weights.empty() ? no_skin_color : heat_color(0.0));
  for (std::size_t v = 0; v < std::min(result.size(), weights.vertex_count()); ++v) {
    double own = 0.0, total = 0.0;
    for (const Influence entry : weights.row(v)) {
      total += entry.weight;
      if (entry.joint == joint) own += entry.weight;
    }
    if (total > 0.0) result[v] = heat_color(own / total);
  }
  return result;
}

std::uint8_t srgb_byte(float linear) {
  const float v = std::clamp(linear, 0.0F, 1.0F);
  const float encoded = v <= 0.0031308F ? 12.92F * v : 1.055F * std::pow(v, 1.0F / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(encoded * 255.0F + 0.5F);
}

SrgbTable::SrgbTable() : bytes_(static_cast<std::size_t>(last_) + 1) {
  for (std::size_t i = 0; i < bytes_.size(); ++i)
    bytes_[i] = srgb_byte(static_cast<float>(i) / last_);
}

}  // namespace gvbind::preview
