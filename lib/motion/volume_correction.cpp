#include "motion/volume_correction.h"

#include <algorithm>
#include <cmath>

#include "gvbind/base/parallel.h"
#include "motion/cubic.h"
#include "motion/displacement_field.h"

namespace gvbind::motion {

namespace {

/// Relative to U: maximum displacement of a vertex by one joint's correction.
constexpr double max_step = 0.35;
constexpr double max_final = 0.25;  ///< maximum displacement per round along normals
/// The bound of a vertex: relative to the thickness of its component there, and to the size.
constexpr double max_of_thickness = 0.4, max_of_size = 0.04;
/// Largest difference of the bounds of two neighbors, relative to their distance.
constexpr double max_slope = 0.5;
constexpr int slope_rounds = 8;
constexpr double at_bound = 0.95;         ///< relative to the bound; vertices beyond are held by it
constexpr double exact_tolerance = 1e-9;  ///< relative volume error that needs no correction
constexpr double same_pose_tolerance = 1e-12;
constexpr int final_rounds = 8;

std::vector<std::vector<std::uint32_t>> joints_below(std::span<const SceneJoint> joints) {
  std::vector<std::vector<std::uint32_t>> below(joints.size());
  for (std::uint32_t j = 0; j < joints.size(); ++j)
    for (int at = static_cast<int>(j); at >= 0; at = joints[at].parent) below[at].push_back(j);
  return below;
}

/// By joint, the points of a component that its rotation moves.
std::vector<VolumeModel::Moved> moved_points(const VolumeModel& model, const VolumePart& part,
                                             std::span<const SceneJoint> joints) {
  std::vector<VolumeModel::Moved> by_joint(joints.size());
  const PoseSurface& surface = model.surface;
  for (std::uint32_t p = 0; p < part.nodes.size(); ++p) {
    const std::size_t v = model.parts.vertex[part.nodes[p]];
    for (std::size_t k = surface.first_influence[v]; k < surface.first_influence[v + 1]; ++k)
      for (int j = static_cast<int>(surface.joint[k]); j >= 0; j = joints[j].parent) {
        VolumeModel::Moved& moved = by_joint[j];
        if (moved.points.empty() || moved.points.back() != p) {
          moved.points.push_back(p);
          moved.share.push_back(0.0);
        }
        moved.share.back() += surface.weight[k];
      }
  }
  std::vector<VolumeModel::Moved> out;
  for (std::uint32_t j = 0; j < joints.size(); ++j) {
    if (by_joint[j].points.empty()) continue;
    by_joint[j].joint = j;
    by_joint[j].blends = std::ranges::any_of(
        by_joint[j].share, [](double s) { return s < 1.0 - same_pose_tolerance; });
    out.push_back(std::move(by_joint[j]));
  }
  return out;
}

/// State of a component while joints are processed.
struct PartState {
  std::vector<Eigen::Affine3d> current;  ///< by joint
  std::vector<double> amount;            ///< by point, length of its U
  std::vector<double> softness;          ///< by point, sum of S over the joints processed
  std::vector<Eigen::Vector3d> points, directions;
  double peak = 0.0;  ///< maximum of the directions relative to U
};

void place(const VolumeModel& model, const VolumePart& part, std::span<const std::uint32_t> points,
           PartState& state) {
  for (const std::uint32_t p : points) {
    const std::uint32_t node = part.nodes[p];
    const std::size_t v = model.parts.vertex[node];
    state.points[p] = blended_transform(model.surface, v, state.current) *
                      (model.surface.rest[v] + state.amount[p] * model.field[node]);
  }
}

PartState rest_state(const VolumeModel& model, const VolumePart& part) {
  PartState state;
  state.current.assign(model.below.size(), Eigen::Affine3d::Identity());
  state.amount.assign(part.nodes.size(), 0.0);
  state.softness.assign(part.nodes.size(), 0.0);
  state.points.resize(part.point_count());
  state.directions.assign(part.point_count(), Eigen::Vector3d::Zero());
  for (std::size_t p = 0; p < part.nodes.size(); ++p)
    state.points[p] = model.surface.rest[model.parts.vertex[part.nodes[p]]];
  fill_caps(part, state.points);
  return state;
}

/// The desired volume of a component: scaling joints changes it on purpose.
double target_volume(const VolumeModel& model, const VolumePart& part, const PartState& state) {
  std::vector<double> scale;
  bool scaled = false;
  for (const Eigen::Affine3d& transform : state.current) {
    scale.push_back(std::abs(transform.linear().determinant()));
    scaled = scaled || std::abs(scale.back() - 1.0) > 1e-6;
  }
  if (!scaled) return part.volume;
  double sum = 0.0, total = 0.0;
  for (const std::uint32_t node : part.nodes) {
    const std::size_t v = model.parts.vertex[node];
    double mean = model.surface.first_influence[v] == model.surface.first_influence[v + 1];
    for (std::size_t k = model.surface.first_influence[v]; k < model.surface.first_influence[v + 1];
         ++k)
      mean += model.surface.weight[k] * scale[model.surface.joint[k]];
    sum += model.node_area[node] * mean;
    total += model.node_area[node];
  }
  return total > 0.0 ? part.volume * sum / total : part.volume;
}

/// The factor of the directions that restores the target volume, within the bound.
double factor_for(const VolumePart& part, const PartState& state, double target, double bound) {
  if (!(state.peak > 0.0)) return 0.0;
  std::array<double, 4> c = volume_polynomial(part, state.points, state.directions);
  c[0] -= target;
  if (std::abs(c[0]) <= exact_tolerance * std::abs(target)) return 0.0;
  const auto root = smallest_root(c);
  // If no factor restores the volume, a Newton step reduces the error.
  const double factor = root ? *root : c[1] != 0.0 ? -c[0] / c[1] : 0.0;
  const double most = bound / state.peak;
  return std::clamp(factor, -most, most);
}

bool set_directions(const VolumeModel& model, const VolumePart& part,
                    const VolumeModel::Moved& moved, PartState& state) {
  std::ranges::fill(state.directions, Eigen::Vector3d::Zero());
  state.peak = 0.0;
  for (std::size_t i = 0; i < moved.points.size(); ++i) {
    const std::uint32_t p = moved.points[i], node = part.nodes[p];
    const double soft = moved.share[i] * std::max(0.0, 1.0 - moved.share[i]) * model.mask[node];
    if (soft == 0.0) continue;
    state.softness[p] += std::abs(soft);
    state.peak = std::max(state.peak, std::abs(soft));
    state.directions[p] =
        soft * (blended_transform(model.surface, model.parts.vertex[node], state.current).linear() *
                model.field[node]);
  }
  if (state.peak > 0.0) fill_caps(part, state.directions);
  return state.peak > 0.0;
}

void displace(const VolumeModel& model, const VolumePart& part, const VolumeModel::Moved& moved,
              double factor, PartState& state) {
  if (factor == 0.0) return;
  for (std::size_t i = 0; i < moved.points.size(); ++i) {
    const std::uint32_t p = moved.points[i], node = part.nodes[p];
    const double length = model.field[node].norm();
    const double most = length > 0.0 ? model.bound[node] / length : 0.0;
    const double soft = moved.share[i] * std::max(0.0, 1.0 - moved.share[i]) * model.mask[node];
    state.amount[p] = std::clamp(state.amount[p] + factor * soft, -most, most);
  }
  place(model, part, moved.points, state);
  fill_caps(part, state.points);
}

void turn_joints(const VolumeModel& model, std::size_t index, PoseSpan pose, PartState& state) {
  const VolumePart& part = model.parts.parts[index];
  for (const VolumeModel::Moved& moved : model.moved[index]) {
    const Eigen::Affine3d& turned = pose[moved.joint];
    const double change =
        (turned.matrix() - state.current[moved.joint].matrix()).cwiseAbs().maxCoeff();
    if (change <= same_pose_tolerance) continue;
    const double kept = volume_of(part, state.points);
    const double aimed = target_volume(model, part, state);
    for (const std::uint32_t j : model.below[moved.joint]) state.current[j] = turned;
    place(model, part, moved.points, state);
    fill_caps(part, state.points);
    if (!moved.blends || !set_directions(model, part, moved, state)) continue;
    const double target = kept * target_volume(model, part, state) / aimed;
    displace(model, part, moved, factor_for(part, state, target, max_step), state);
  }
}

/// How far the points of a component may be from linear skinning in a pose.
struct PoseBounds {
  std::vector<Eigen::Vector3d> linear;  ///< by point
  std::vector<double> most;             ///< by node
  double scale = 1.0;                   ///< of the joints
};

PoseBounds pose_bounds(const VolumeModel& model, const VolumePart& part, PoseSpan pose,
                       double target) {
  PoseBounds bounds;
  bounds.linear.resize(part.point_count());
  bounds.scale = part.volume != 0.0 ? std::cbrt(std::abs(target / part.volume)) : 1.0;
  for (std::size_t p = 0; p < part.nodes.size(); ++p) {
    const std::size_t v = model.parts.vertex[part.nodes[p]];
    bounds.linear[p] = blended_transform(model.surface, v, pose) * model.surface.rest[v];
    bounds.most.push_back(bounds.scale * model.bound[part.nodes[p]]);
  }
  fill_caps(part, bounds.linear);
  return bounds;
}

void hold(const VolumePart& part, const PoseBounds& bounds, PartState& state) {
  for (std::size_t p = 0; p < part.nodes.size(); ++p) {
    const Eigen::Vector3d moved = state.points[p] - bounds.linear[p];
    const double length = moved.norm();
    if (length > bounds.most[p])
      state.points[p] = bounds.linear[p] + bounds.most[p] / length * moved;
  }
  fill_caps(part, state.points);
}

/// Corrects the remaining error along the normals where the skin is soft, with the less, the nearer
/// a point is to its bound.
void correct_rest(const VolumeModel& model, const VolumePart& part, const PoseBounds& bounds,
                  double target, PartState& state) {
  hold(part, bounds, state);
  for (int round = 0; round < final_rounds; ++round) {
    if (std::abs(volume_of(part, state.points) - target) <= exact_tolerance * std::abs(target))
      return;
    state.peak = *std::ranges::max_element(state.softness);
    const bool soft = state.peak > 0.0;
    if (!soft) state.peak = 1.0;
    const std::vector<Eigen::Vector3d> normals = point_normals(part, state.points);
    for (std::size_t p = 0; p < part.nodes.size(); ++p) {
      const double moved = (state.points[p] - bounds.linear[p]).norm();
      const double room = bounds.most[p] > 0.0 ? std::max(0.0, 1.0 - moved / bounds.most[p]) : 0.0;
      // Scaled by the length of U, so that thin limbs get small displacements.
      state.directions[p] = (soft ? state.softness[p] : std::abs(model.mask[part.nodes[p]])) *
                            room * model.field[part.nodes[p]].norm() * normals[p];
    }
    fill_caps(part, state.directions);
    const double factor = factor_for(part, state, target, max_final);
    for (std::size_t p = 0; p < state.points.size(); ++p)
      state.points[p] += factor * state.directions[p];
    hold(part, bounds, state);
  }
}

PartVolume correct_part(const VolumeModel& model, std::size_t index, PoseSpan pose,
                        std::vector<Eigen::Vector3d>& nodes) {
  const VolumePart& part = model.parts.parts[index];
  PartState state = rest_state(model, part);
  turn_joints(model, index, pose, state);
  std::ranges::copy(pose, state.current.begin());
  PartVolume volume;
  volume.target = target_volume(model, part, state);
  const PoseBounds bounds = pose_bounds(model, part, pose, volume.target);
  volume.linear = volume_of(part, bounds.linear);
  correct_rest(model, part, bounds, volume.target, state);
  volume.corrected = volume_of(part, state.points);
  for (std::size_t p = 0; p < part.nodes.size(); ++p) {
    const double moved = (state.points[p] - bounds.linear[p]).norm();
    volume.moved = std::max(volume.moved, moved / bounds.scale);
    volume.held += bounds.most[p] > 0.0 && moved >= at_bound * bounds.most[p];
    nodes[part.nodes[p]] = state.points[p];
  }
  return volume;
}

/// By node. Close to a thin place the bound is small too, so that no edge there is torn.
std::vector<double> displacement_bounds(const VolumeModel& model) {
  const double most = max_of_size * size_of(model.surface);
  std::vector<double> bound(model.parts.vertex.size(), most);
  for (const VolumePart& part : model.parts.parts)
    for (std::size_t p = 0; p < part.nodes.size(); ++p)
      bound[part.nodes[p]] = std::min(most, max_of_thickness * part.thickness[p]);
  const auto& rest = model.surface.rest;
  for (int round = 0; round < slope_rounds; ++round)
    for (const Triangle& t : model.surface.triangles)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = t[i], b = t[(i + 1) % 3];
        const double slope = max_slope * (rest[a] - rest[b]).norm();
        double& at_a = bound[model.parts.node_of[a]];
        double& at_b = bound[model.parts.node_of[b]];
        at_a = std::min(at_a, at_b + slope);
        at_b = std::min(at_b, at_a + slope);
      }
  return bound;
}

}  // namespace

VolumeModel volume_model(const Scene& scene, std::span<const double> mask) {
  VolumeModel model;
  model.surface = pose_surface(scene);
  model.parts = volume_parts(model.surface, mask);
  model.below = joints_below(scene.joints);
  const std::vector<Eigen::Vector3d> field = displacement_field(model.surface, scene.joints);
  for (const std::uint32_t v : model.parts.vertex) {
    model.field.push_back(field[v]);
    model.mask.push_back(mask.empty() ? 1.0 : mask[v]);
  }
  model.node_area.assign(model.parts.vertex.size(), 0.0);
  for (const Triangle& t : model.surface.triangles) {
    const auto& rest = model.surface.rest;
    const double third = (rest[t[1]] - rest[t[0]]).cross(rest[t[2]] - rest[t[0]]).norm() / 6.0;
    for (const std::uint32_t v : t) model.node_area[model.parts.node_of[v]] += third;
  }
  model.bound = displacement_bounds(model);
  model.moved.resize(model.parts.parts.size());
  parallel_each(model.moved.size(), [&](std::size_t i) {
    model.moved[i] = moved_points(model, model.parts.parts[i], scene.joints);
  });
  return model;
}

CorrectedPose volume_positions(const VolumeModel& model, PoseSpan pose) {
  CorrectedPose out;
  out.positions = linear_positions(model.surface, pose);
  std::vector<Eigen::Vector3d> nodes(model.parts.vertex.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = out.positions[model.parts.vertex[n]];
  const std::size_t count = model.parts.parts.size();
  out.volumes.resize(count);
  parallel_each(count, [&](std::size_t i) {
    if (model.parts.parts[i].holds_volume()) out.volumes[i] = correct_part(model, i, pose, nodes);
  });
  for (std::size_t v = 0; v < out.positions.size(); ++v)
    if (out.positions[v].allFinite()) out.positions[v] = nodes[model.parts.node_of[v]];
  return out;
}

VolumeError volume_error(const VolumeModel& model, const CorrectedPose& pose) {
  VolumeError error;
  double target = 0.0;
  for (std::size_t i = 0; i < pose.volumes.size(); ++i) {
    if (!model.parts.parts[i].holds_volume()) continue;
    const PartVolume& part = pose.volumes[i];
    // Inside-out components count by the absolute value of their volume.
    const double sign = part.target < 0.0 ? -1.0 : 1.0;
    target += sign * part.target;
    error.linear += sign * (part.linear - part.target);
    error.corrected += sign * (part.corrected - part.target);
    error.worst_linear = std::max(error.worst_linear, std::abs(part.linear / part.target - 1.0));
    error.worst = std::max(error.worst, std::abs(part.corrected / part.target - 1.0));
    error.moved = std::max(error.moved, part.moved / size_of(model.surface));
    error.held += part.held;
  }
  if (target > 0.0) {
    error.linear /= target;
    error.corrected /= target;
  }
  return error;
}

}  // namespace gvbind::motion
