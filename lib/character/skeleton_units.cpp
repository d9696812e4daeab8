#include "character/skeleton_units.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

using Box = Eigen::AlignedBox3d;

/// Columns: right, up, front.
Eigen::Matrix3d basis(const Units& units) {
  const Eigen::Vector3d up = units.up.normalized();
  Eigen::Vector3d front = units.front - units.front.dot(up) * up;
  if (!up.allFinite() || !(up.norm() > 0.5)) return Eigen::Matrix3d::Identity();
  if (!(front.norm() > 1e-6)) front = up.unitOrthogonal();
  front.normalize();
  Eigen::Matrix3d result;
  result << up.cross(front), up, front;
  return result;
}

/// Possible axes of a file: its own, or if unknown, +Y up or +Z up with front -Y (as in DCC tools).
/// The usual one comes first.
std::vector<Units> possible_axes(const Units& units) {
  if (units.known) return {units};
  Units y = units, z = units;
  y.up = Eigen::Vector3d::UnitY();
  y.front = Eigen::Vector3d::UnitZ();
  z.up = Eigen::Vector3d::UnitZ();
  z.front = -Eigen::Vector3d::UnitY();
  return {y, z};
}

/// Includes inverse ratios, for files that claim one unit and contain another. If both files have
/// no unit, the ratios suffice; with more candidates, any size would fit.
std::set<double> possible_meters(const Units& units, const Units& other) {
  if (units.known) return {units.meters > 0 ? units.meters : 1.0};
  std::set<double> lengths = {1.0, 0.01, 0.1, 0.001, 0.0254, 0.3048};
  if (other.known)
    for (const double unit : {0.01, 0.1, 0.001, 0.0254, 0.3048}) lengths.insert(1.0 / unit);
  return lengths;
}

Box box_of_joints(const Scene& scene, const Eigen::Matrix3d& turn) {
  Box box;
  for (const SceneJoint& joint : scene.joints) box.extend(turn * joint.bind.translation());
  return box;
}

Box box_of_meshes(const Scene& scene) {
  Box box, all;
  for (const SceneMesh& mesh : scene.meshes)
    for (const Eigen::Vector3d& position : mesh.positions) {
      if (mesh.selected) box.extend(position);
      all.extend(position);
    }
  return box.isEmpty() ? all : box;
}

double size_of(const Box& box) { return box.isEmpty() ? 0.0 : box.diagonal().norm(); }

struct Fit {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  double scale = 1.0;
  double skeleton_meters = 1.0, target_meters = 1.0;
  Eigen::Vector3d skeleton_up = Eigen::Vector3d::UnitY(), target_up = Eigen::Vector3d::UnitY();
  double size_ratio = 1.0;  ///< of the boxes' diagonals, joints to meshes
};

/// The scale with the most similar box sizes; of equals, the one nearest to meters.
void fit_scale(const Scene& skeleton, const Scene& target, Fit& fit) {
  const double joints = size_of(box_of_joints(skeleton, Eigen::Matrix3d::Identity()));
  const double meshes = size_of(box_of_meshes(target));
  const bool measurable = joints > 0 && meshes > 0;
  // Joints are inside the body, so a box as large as the meshes' is slightly too large.
  constexpr double usual_ratio = 0.9;
  double smallest = HUGE_VAL, min_change = HUGE_VAL;
  for (const double s : possible_meters(skeleton.units, target.units))
    for (const double t : possible_meters(target.units, skeleton.units)) {
      const double change = std::abs(std::log(s)) + std::abs(std::log(t));
      const double misfit =
          measurable ? std::abs(std::log(joints * s / t / meshes / usual_ratio)) : 0.0;
      const bool equal = std::abs(misfit - smallest) < 1e-9;
      if (equal ? change >= min_change : misfit > smallest) continue;
      smallest = misfit;
      min_change = change;
      fit.skeleton_meters = s;
      fit.target_meters = t;
    }
  fit.scale = fit.skeleton_meters / fit.target_meters;
  if (measurable) fit.size_ratio = joints * fit.scale / meshes;
}

/// Difference of two boxes: mainly their shapes, and slightly their positions, because the root of
/// a motion file can be anywhere.
double disagreement(const Box& joints, const Box& meshes) {
  const double size = size_of(meshes);
  if (!(size > 0)) return 0.0;
  const double shape = (joints.sizes() - meshes.sizes()).norm() / size;
  const double distance = (joints.center() - meshes.center()).norm() / size;
  return shape + 0.1 * std::min(distance, 1.0);
}

void fit_axes(const Scene& skeleton, const Scene& target, Fit& fit) {
  // Smaller differences are not significant: a crouched or four-legged body is about as tall as it
  // is long.
  constexpr double clear = 0.03;
  const Box meshes = box_of_meshes(target);
  double smallest = HUGE_VAL;
  for (const Units& from : possible_axes(skeleton.units))
    for (const Units& to : possible_axes(target.units)) {
      const Eigen::Matrix3d turn = basis(to) * basis(from).transpose();
      Box joints = box_of_joints(skeleton, turn);
      joints = Box(joints.min() * fit.scale, joints.max() * fit.scale);
      const double misfit = meshes.isEmpty() ? 0.0 : disagreement(joints, meshes);
      if (smallest != HUGE_VAL && misfit > smallest - clear) continue;
      smallest = misfit;
      fit.turn = turn;
      fit.skeleton_up = from.up;
      fit.target_up = to.up;
    }
}

/// The nearest rotation. Binds of animation tools contain scales and even mirroring.
Eigen::Matrix3d rotation_of(const Eigen::Matrix3d& linear) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) = -u.col(2);
  return u * svd.matrixV().transpose();
}

std::string guess(double meters, const Eigen::Vector3d& up, const char* whose) {
  return significant(meters, 4) + " m per unit and " + (up.z() > 0.5 ? "+Z" : "+Y") +
         " up for the " + whose;
}

void report_guess(const Scene& skeleton, const Scene& target, const Fit& fit, Findings& findings) {
  if (skeleton.units.known && target.units.known) return;
  std::string message = "assuming ";
  if (!skeleton.units.known) message += guess(fit.skeleton_meters, fit.skeleton_up, "skeleton");
  if (!skeleton.units.known && !target.units.known) message += ", ";
  if (!target.units.known) message += guess(fit.target_meters, fit.target_up, "meshes");
  message += ", whose format does not say; the box of the joints is then " +
             significant(fit.size_ratio, 4) + " times as large as that of the meshes";
  const bool fits = fit.size_ratio > 0.5 && fit.size_ratio < 2.0;
  findings.push_back(
      {fits ? Severity::note : Severity::warning, "skeleton-units", std::move(message), ""});
}

void report_outside(const Scene& scene, const Scene& target, Findings& findings) {
  Box box = box_of_meshes(target);
  if (box.isEmpty()) return;
  const Eigen::Vector3d margin = Eigen::Vector3d::Constant(0.02 * size_of(box));
  box = Box(box.min() - margin, box.max() + margin);
  const auto outside = std::count_if(
      scene.joints.begin(), scene.joints.end(),
      [&](const SceneJoint& joint) { return !box.contains(joint.bind.translation()); });
  const auto count = static_cast<std::ptrdiff_t>(scene.joints.size());
  if (2 * outside <= count) return;
  findings.push_back({Severity::warning, "skeleton-outside",
                      std::to_string(outside) + " of " + std::to_string(count) +
                          " joints lie outside the box of the meshes",
                      ""});
}

}  // namespace

Scene skeleton_in_units(const Scene& skeleton, const Scene& target, Findings& findings) {
  if (skeleton.joints.empty()) throw Error(ErrorKind::cannot_bind, "no joints in the skeleton");
  Fit fit;
  fit_scale(skeleton, target, fit);
  fit_axes(skeleton, target, fit);

  Scene result;
  result.units = target.units;
  result.joints = skeleton.joints;
  for (SceneJoint& joint : result.joints) {
    const Eigen::Vector3d position = fit.turn * joint.bind.translation() * fit.scale;
    const Eigen::Matrix3d turned = fit.turn * rotation_of(joint.bind.linear());
    joint.bind = Eigen::Affine3d::Identity();
    joint.bind.linear() = turned;
    joint.bind.translation() = position;
    joint.node = -1;
  }
  report_guess(skeleton, target, fit, findings);
  report_outside(result, target, findings);
  return result;
}

Eigen::Affine3d change_of_units(const Units& from, const Units& to) {
  Eigen::Affine3d change = Eigen::Affine3d::Identity();
  if (!from.known || !to.known || !(from.meters > 0.0) || !(to.meters > 0.0)) return change;
  change.linear() = from.meters / to.meters * basis(to) * basis(from).transpose();
  return change;
}

}  // namespace gvbind
