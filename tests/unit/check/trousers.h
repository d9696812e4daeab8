#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "character/scene.h"
#include "support/shapes.h"

namespace gvbind::test {

/// A tube bent into two legs, and its skeleton:
/// hips(0) -> thigh_l(1) -> shin_l(2) -> foot_l(3), thigh_r(4) -> shin_r(5) -> foot_r(6).
/// The legs are 1 long, 0.4 apart and 0.1 in radius.
constexpr double leg = 1.0, half_gap = 0.2;
constexpr double around = M_PI * half_gap, whole = 2.0 * leg + around;

using Row = std::vector<std::pair<std::uint32_t, float>>;

inline void add_row(SkinWeights& weights, const Row& row) {
  for (const auto& [joint, weight] : row) {
    weights.joint.push_back(joint);
    weights.weight.push_back(weight);
  }
  weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
}

inline SceneJoint joint(const char* name, int parent, const Eigen::Vector3d& place) {
  SceneJoint out;
  out.name = name;
  out.parent = parent;
  out.bind = Eigen::Translation3d(place);
  return out;
}

inline std::vector<SceneJoint> trousers_joints() {
  return {joint("hips", -1, {0, leg + half_gap, 0}), joint("thigh_l", 0, {-half_gap, leg, 0}),
          joint("shin_l", 1, {-half_gap, 0.5, 0}),   joint("foot_l", 2, {-half_gap, 0.1, 0}),
          joint("thigh_r", 0, {half_gap, leg, 0}),   joint("shin_r", 4, {half_gap, 0.5, 0}),
          joint("foot_r", 5, {half_gap, 0.1, 0})};
}

/// Maps a position along the tube (0 at the tip of the left foot) to space.
inline Eigen::Vector3d bend(double s, double out, double z) {
  if (s <= leg) return {-half_gap - out, s, z};
  if (s >= leg + around) return {half_gap + out, whole - s, z};
  const double angle = M_PI - (s - leg) / half_gap, radius = half_gap + out;
  return {radius * std::cos(angle), leg + radius * std::sin(angle), z};
}

/// Weights by the position along the tube: each joint owns a section, blended over `band`.
inline Row smooth_row(double s, double band = 0.1) {
  const std::vector<std::pair<double, std::uint32_t>> ends = {
      {0.1, 3}, {0.5, 2}, {leg, 1}, {leg + around, 0}, {whole - 0.5, 4}, {whole - 0.1, 5}, {9, 6}};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (s > ends[i].first + band / 2) continue;
    if (s < ends[i].first - band / 2 || i + 1 == ends.size()) return {{ends[i].second, 1.0f}};
    const auto next = static_cast<float>((s - ends[i].first) / band + 0.5);
    if (next <= 0.0f || next >= 1.0f) return {{ends[next < 0.5f ? i : i + 1].second, 1.0f}};
    Row row = {{ends[i].second, 1.0f - next}, {ends[i + 1].second, next}};
    if (next > 0.5f) std::swap(row[0], row[1]);
    return row;
  }
  return {};
}

/// `row` returns the weights of a vertex from its position along the tube and in space.
inline Scene trousers(
    const std::function<Row(double, const Eigen::Vector3d&)>& row =
        [](double s, const Eigen::Vector3d&) { return smooth_row(s); },
    int rings = 80) {
  Shape tube = capsule({0, 0, 0}, {0, whole, 0}, 0.1, 16, rings);
  Scene scene;
  scene.joints = trousers_joints();
  SceneMesh mesh;
  mesh.name = "trousers";
  mesh.triangles = tube.triangles;
  mesh.skin_joints = {0, 1, 2, 3, 4, 5, 6};
  for (const Eigen::Vector3d& p : tube.positions) {
    const double s = std::clamp(p.y(), 0.0, whole);
    mesh.positions.push_back(bend(p.y(), p.x(), p.z()));
    add_row(mesh.weights, row(s, mesh.positions.back()));
  }
  scene.meshes.push_back(std::move(mesh));
  return scene;
}

/// The scene transformed as a whole.
inline Scene moved(Scene scene, const Eigen::Affine3d& motion) {
  for (SceneMesh& mesh : scene.meshes)
    for (Eigen::Vector3d& p : mesh.positions) p = motion * p;
  for (SceneJoint& j : scene.joints) j.bind = motion * j.bind;
  return scene;
}

}  // namespace gvbind::test
