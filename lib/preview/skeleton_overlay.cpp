#include "preview/skeleton_overlay.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gvbind {
namespace {

const Eigen::Vector3f white = Eigen::Vector3f::Constant(0.95F);
const Eigen::Vector3f near_ink(0.010F, 0.011F, 0.016F), far_ink(0.10F, 0.105F, 0.12F);
const Eigen::Vector3f idle_color = Eigen::Vector3f::Constant(0.55F);

struct Dot {
  Eigen::Vector2f position;
  float nearness;  ///< 0 farthest, 1 nearest
  float radius;    ///< samples
  bool visible;
};

/// How far the nearest joint at another position is.
double nearest_joint(std::span<const SceneJoint> joints, std::size_t j) {
  double nearest = HUGE_VAL;
  for (const SceneJoint& other : joints) {
    const double distance = (other.bind.translation() - joints[j].bind.translation()).norm();
    if (distance > 0.0) nearest = std::min(nearest, distance);
  }
  return nearest;
}

std::vector<Dot> project(std::span<const SceneJoint> joints, const Camera& camera, int samples,
                         double unit, float smallest_span) {
  std::vector<Dot> dots(joints.size());
  float low = HUGE_VALF, high = -HUGE_VALF;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Eigen::Vector3f seen =
        (camera.project(joints[j].bind.translation()) * samples).cast<float>();
    dots[j] = {seen.head<2>(), seen.z(), 0.0F, seen.allFinite()};
    if (!dots[j].visible) continue;
    low = std::min(low, seen.z());
    high = std::max(high, seen.z());
  }
  // Joints that all but share a depth get no hints out of rounding.
  const float span = std::max(high - low, smallest_span);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Dot& dot = dots[j];
    dot.nearness = span > 0.0F ? 1.0F - (high - dot.nearness) / span : 1.0F;
    const float size = (joints[j].deforms ? 3.1F : 2.0F) * (0.75F + 0.5F * dot.nearness);
    dot.radius = size * static_cast<float>(unit * samples);
  }
  // In hands and faces the dots would lie on one another: there they shrink, down to half. Of more
  // joints than anyone can tell apart all do, without a search that takes the square of their
  // number.
  constexpr std::size_t max_searched = 4096;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const double nearest = joints.size() > max_searched ? 0.0 : nearest_joint(joints, j);
    const auto apart = static_cast<float>(0.45 * nearest * camera.scale * samples);
    dots[j].radius = std::clamp(apart, 0.5F * dots[j].radius, dots[j].radius);
  }
  return dots;
}

Eigen::Vector3f ink(float nearness) { return far_ink + nearness * (near_ink - far_ink); }

}  // namespace

void draw_skeleton(Canvas& canvas, std::span<const SceneJoint> joints,
                   std::span<const Eigen::Vector3f> colors, const Camera& camera, int samples,
                   double unit) {
  const std::vector<Dot> dots =
      project(joints, camera, samples, unit, 0.1F * static_cast<float>(canvas.height));
  std::vector<std::size_t> order(joints.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t j) { return !dots[j].visible; });
  std::ranges::stable_sort(order, {}, [&](std::size_t j) { return dots[j].nearness; });
  const float rim = static_cast<float>(unit * samples);

  for (const bool halo : {true, false})
    for (const std::size_t j : order) {
      if (joints[j].parent < 0) continue;
      const Dot& child = dots[j];
      const Dot& parent = dots[static_cast<std::size_t>(joints[j].parent)];
      if (!parent.visible) continue;
      const float wide = 0.5F * parent.radius, narrow = 0.7F * rim;
      if (halo)
        draw_stroke(canvas, parent.position, wide + 0.8F * rim, child.position, narrow + 0.8F * rim,
                    white, 0.55F);
      else
        draw_stroke(canvas, parent.position, wide, child.position, narrow,
                    ink(0.5F * (child.nearness + parent.nearness)));
    }
  for (const std::size_t j : order) {
    const Dot& dot = dots[j];
    const auto disc = [&](float radius, const Eigen::Vector3f& color) {
      draw_stroke(canvas, dot.position, radius, dot.position, radius, color);
    };
    disc(dot.radius + 1.7F * rim, white);
    disc(dot.radius + 0.9F * rim, ink(dot.nearness));
    disc(dot.radius, joints[j].deforms ? colors[j] : idle_color);
  }
}

}  // namespace gvbind
