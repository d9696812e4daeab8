#include "rig/place_joints.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "rig/human_joints.h"

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

// Of parts attached to a limb, relative to the scale from template to body.
constexpr double least_scale = 0.3, most_scale = 3.0;
// Of parts attached to an upright head.
constexpr double least_head_scale = 0.5, most_head_scale = 1.5;
constexpr double furthest_move = 0.1;  // relative to the size: maximum move of joints outside

Vector3d joint_place(const RigTemplate& rig, int joint) { return rig.joints[joint].position; }

/// The rotation and scale that map one bone to another. `usual`: scale of the whole body.
Eigen::Matrix3d bone_map(const Vector3d& from, const Vector3d& to, double usual) {
  const double scale =
      std::clamp(to.norm() / std::max(from.norm(), 1e-12), least_scale * usual, most_scale * usual);
  return scale * Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
}

/// Eyes and hair of an upright head: a bun or a hat is no reason to turn them, nor to draw them
/// out.
Eigen::Matrix3d head_map(const Vector3d& from, const Vector3d& to, double usual) {
  const double scale = std::clamp(to.y() / std::max(from.y(), 1e-12), least_head_scale * usual,
                                  most_head_scale * usual);
  return scale * Eigen::Matrix3d::Identity();
}

/// By placed joint, the transform of the parts attached to it.
struct Followed {
  bool placed = false;
  Eigen::Matrix3d map = Eigen::Matrix3d::Identity();
};

void place_followers(const RigTemplate& rig, const TipAssignment& assignment, const BodyTips& tips,
                     bool is_symmetric, JointPlaces& places) {
  const double usual = tips.size() / rig.size();
  std::vector<Followed> followed(rig.joints.size());
  for (std::size_t l = 0; l < rig.limbs.size(); ++l) {
    if (assignment.tips[l] < 0) continue;
    const TemplateLimb& limb = rig.limbs[l];
    Vector3d tip = tips.tips[assignment.tips[l]].place;
    const auto& end = places[limb.joints.back()];
    const bool upright_head = limb.is_head && is_human(rig);
    // The tip of one ear is not the top of the head.
    if (limb.is_axial && is_symmetric && end) tip.x() = end->x();
    for (std::size_t i = 0; i < limb.joints.size(); ++i) {
      const int j = limb.joints[i];
      const bool last = i + 1 == limb.joints.size();
      if (!places[j]) continue;
      const Vector3d from = limb_position(rig, limb, i + 1) - limb_position(rig, limb, i);
      const auto next = last ? std::optional<Vector3d>(tip) : places[limb.joints[i + 1]];
      if (!next || !(from.norm() > 0.0)) continue;
      followed[j] = {true, last && upright_head ? head_map(from, *next - *places[j], usual)
                                                : bone_map(from, *next - *places[j], usual)};
    }
  }
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    if (places[j] || parent < 0 || !followed[parent].placed) continue;
    const Followed& above = followed[parent];
    places[j] = *places[parent] + above.map * (rig.joints[j].position - joint_place(rig, parent));
    followed[j] = above;
  }
}

/// A joint on the surface of a cell counts as outside, because rounding decides its side.
bool lies_inside(const BodyVolume& body, const Vector3d& place) {
  constexpr double edge = 1e-3;  // voxels
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d to(corner & 1 ? edge : -edge, corner & 2 ? edge : -edge,
                      corner & 4 ? edge : -edge);
    if (body.find(Vector3d(place + to)) == no_cell) return false;
  }
  return true;
}

/// Scale from template to body, from distances between placed joints.
double body_scale(const RigTemplate& rig, const BodyVolume& body, const JointPlaces& places) {
  double own = 0.0, of_template = 0.0;
  std::vector<std::size_t> roots;
  for (const TemplateLimb& limb : rig.limbs)
    if (const auto j = static_cast<std::size_t>(limb.joints[limb.root]); places[j])
      roots.push_back(j);
  for (const std::size_t a : roots)
    for (const std::size_t b : roots) {
      own += (*places[a] - *places[b]).norm();
      of_template += (rig.joints[a].position - rig.joints[b].position).norm();
    }
  return of_template > 0.1 * rig.size() ? own / of_template : body.size() / rig.size();
}

}  // namespace

std::vector<Vector3d> place_all(const RigTemplate& rig, const BodyVolume& body,
                                const TipAssignment& assignment, const BodyTips& tips,
                                bool is_symmetric, const JointPlaces& known) {
  JointPlaces places = known;
  place_followers(rig, assignment, tips, is_symmetric, places);
  const double scale = body_scale(rig, body, places);
  const auto count = static_cast<Eigen::Index>(rig.joints.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(count, 3);
  for (Eigen::Index j = 0; j < count; ++j) {
    const auto parent = static_cast<Eigen::Index>(rig.joints[j].parent);
    if (parent < 0) continue;
    const Vector3d bone = scale * (joint_place(rig, static_cast<int>(j)) -
                                   joint_place(rig, static_cast<int>(parent)));
    const double weight = 1.0 / std::max(bone.norm(), 0.01 * body.size());
    matrix(j, j) += weight;
    matrix(parent, parent) += weight;
    matrix(j, parent) -= weight;
    matrix(parent, j) -= weight;
    right.row(j) += weight * bone.transpose();
    right.row(parent) -= weight * bone.transpose();
  }
  // Without placed joints, the body's box decides.
  const Vector3d offset = body.low.cast<double>() + 0.5 * body.extent.cast<double>() -
                          scale * 0.5 * (rig.low + rig.high);
  for (Eigen::Index j = 0; j < count; ++j) {
    const auto& place = places[j];
    const double weight = place ? 1e6 : 1e-6;
    const Vector3d target =
        place ? *place : Vector3d(scale * joint_place(rig, static_cast<int>(j)) + offset);
    matrix(j, j) += weight;
    right.row(j) += weight * target.transpose();
  }
  const Eigen::MatrixXd solved = matrix.ldlt().solve(right);
  std::vector<Vector3d> made;
  for (Eigen::Index j = 0; j < count; ++j) made.emplace_back(solved.row(j).transpose());
  return made;
}

double mirror_error(const RigTemplate& rig, const SymmetryPlane& plane,
                    const std::vector<Vector3d>& places) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const TemplateLimb& limb : rig.limbs)
    for (const int j : limb.joints)
      if (const int partner = rig.mirror_joints[j]; partner >= 0) {
        sum += (plane.mirrored(places[j]) - places[partner]).norm();
        ++count;
      }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

void mirror_places(const RigTemplate& rig, const SymmetryPlane& plane,
                   const std::vector<bool>& fixed, std::vector<Vector3d>& places) {
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (rig.mirror_joints[j] < static_cast<int>(j)) continue;
    const auto partner = static_cast<std::size_t>(rig.mirror_joints[j]);
    if (partner == j && !fixed[j]) places[j].x() = plane.at;
    if (partner == j || (fixed[j] && fixed[partner])) continue;
    if (fixed[partner]) {
      places[j] = plane.mirrored(places[partner]);
      continue;
    }
    if (!fixed[j]) places[j] = 0.5 * (places[j] + plane.mirrored(places[partner]));
    places[partner] = plane.mirrored(places[j]);
  }
}

namespace {

/// Joints of limbs, and joints attached to their ends: fingers and faces.
std::vector<std::size_t> inner_joints(const RigTemplate& rig) {
  std::vector<bool> inner(rig.joints.size(), false);
  for (const TemplateLimb& limb : rig.limbs)
    for (const int joint : limb.joints) inner[joint] = true;
  std::vector<bool> beyond(rig.joints.size(), false);
  for (const TemplateLimb& limb : rig.limbs) beyond[limb.joints.back()] = true;
  std::vector<std::size_t> joints;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    if (parent >= 0 && beyond[parent]) beyond[j] = true;
    if (inner[j] || beyond[j]) joints.push_back(j);
  }
  return joints;
}

/// Moves a trunk joint that is outside, between the legs, to the nearest cell in the plane.
void move_along_plane(const BodyVolume& body, const SymmetryPlane& plane, Vector3d& place) {
  double least = furthest_move * body.size();
  const Vector3d from = place;
  for (std::uint32_t c = 0; c < body.cells.size(); ++c) {
    Vector3d to = body.center(c);
    if (std::abs(to.x() - plane.at) > 1.0) continue;
    to.x() = plane.at;
    if ((to - from).norm() >= least || !lies_inside(body, to)) continue;
    least = (to - from).norm();
    place = to;
  }
}

void move_pair(const BodyVolume& body, const SymmetryPlane& plane, Vector3d& place,
               Vector3d& partner) {
  double least = furthest_move * body.size();
  const Vector3d from = place;
  for (std::uint32_t c = 0; c < body.cells.size(); ++c) {
    const double distance = (body.center(c) - from).norm();
    if (distance >= least || body.find(plane.mirrored(body.center(c))) == no_cell) continue;
    least = distance;
    place = body.center(c);
    partner = plane.mirrored(place);
  }
}

}  // namespace

void move_inside(const RigTemplate& rig, const BodyVolume& body, const std::vector<bool>& fixed,
                 std::vector<Vector3d>& places) {
  for (const std::size_t j : inner_joints(rig))
    if (!fixed[j] && !lies_inside(body, places[j]))
      places[j] = body.center(body.nearest(places[j]));
}

void move_pairs_inside(const RigTemplate& rig, const BodyVolume& body, const SymmetryPlane& plane,
                       const std::vector<bool>& fixed, std::vector<Vector3d>& places) {
  for (const TemplateLimb& limb : rig.limbs)
    for (int j = rig.joints[limb.joints.front()].parent; j >= 0; j = rig.joints[j].parent) {
      const auto joint = static_cast<std::size_t>(j);
      if (rig.mirror_joints[joint] == j && !fixed[joint] && !lies_inside(body, places[joint]))
        move_along_plane(body, plane, places[joint]);
    }
  for (const std::size_t j : inner_joints(rig)) {
    if (rig.mirror_joints[j] <= static_cast<int>(j) || fixed[j]) continue;
    const auto partner = static_cast<std::size_t>(rig.mirror_joints[j]);
    if (!fixed[partner] && !(lies_inside(body, places[j]) && lies_inside(body, places[partner])))
      move_pair(body, plane, places[j], places[partner]);
  }
}

}  // namespace gvbind::rig
