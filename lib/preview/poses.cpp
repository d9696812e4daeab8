#include "preview/poses.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "preview/camera.h"

namespace gvbind::preview {

namespace {

constexpr double shortest_limb = 0.15;  ///< relative to the longest reach in the skeleton
constexpr double min_segment = 0.6;     ///< relative to a limb's longest segment
constexpr int flexible_joints = 4;

struct Shape {
  const std::vector<SceneJoint>& joints;
  ViewRotation axes;  ///< rows: left, up, front
  std::vector<std::vector<std::size_t>> children;
  std::vector<double> reach;    ///< longest path to a tip
  std::vector<int> main_child;  ///< next joint on that path; -1 at a tip
  std::vector<int> limbs;       ///< number of limbs below a joint, at least one
  Eigen::Vector3d low = Eigen::Vector3d::Constant(HUGE_VAL);  ///< in these axes
  Eigen::Vector3d high = Eigen::Vector3d::Constant(-HUGE_VAL);

  Eigen::Vector3d position(std::size_t j) const { return joints[j].bind.translation(); }
  double length(std::size_t parent, std::size_t child) const {
    return (position(child) - position(parent)).norm();
  }
};

Shape measure(const Scene& scene) {
  const std::size_t count = scene.joints.size();
  Shape shape{scene.joints,
              view_of(scene.units, 0.0),
              std::vector<std::vector<std::size_t>>(count),
              std::vector<double>(count, 0.0),
              std::vector<int>(count, -1),
              std::vector<int>(count, 1)};
  double longest = 0.0;
  for (std::size_t j = count; j-- > 0;) {
    longest = std::max(longest, shape.reach[j]);
    const Eigen::Vector3d seen = shape.axes * shape.position(j);
    shape.low = shape.low.cwiseMin(seen);
    shape.high = shape.high.cwiseMax(seen);
    if (scene.joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(scene.joints[j].parent);
    shape.children[parent].insert(shape.children[parent].begin(), j);
    const double path_length = shape.reach[j] + shape.length(parent, j);
    if (path_length < shape.reach[parent] && shape.main_child[parent] >= 0) continue;
    shape.reach[parent] = path_length;
    shape.main_child[parent] = static_cast<int>(j);
  }
  for (std::size_t j = count; j-- > 0;) {
    int limbs = 0;
    for (const std::size_t child : shape.children[j])
      if (shape.reach[child] + shape.length(j, child) >= shortest_limb * longest)
        limbs += shape.limbs[child];
    shape.limbs[j] = std::max(1, limbs);
  }
  return shape;
}

Eigen::Vector3d segment_of(const Shape& shape, std::size_t j) {
  if (shape.main_child[j] >= 0)
    return shape.position(static_cast<std::size_t>(shape.main_child[j])) - shape.position(j);
  const int parent = shape.joints[j].parent;
  if (parent < 0) return Eigen::Vector3d::Zero();
  return shape.position(j) - shape.position(static_cast<std::size_t>(parent));
}

/// The joints on a limb's main path, from its first joint to the tip.
std::vector<std::size_t> main_line(const Shape& shape, std::size_t first) {
  std::vector<std::size_t> line = {first};
  while (shape.main_child[line.back()] >= 0)
    line.push_back(static_cast<std::size_t>(shape.main_child[line.back()]));
  return line;
}

/// Lateral position of a limb's median joint, which is robust to outliers such as an ear of the
/// neck's limb.
double middle_left(const Shape& shape, const std::vector<std::size_t>& line) {
  std::vector<double> values;
  for (const std::size_t j : line) values.push_back(shape.axes.row(0).dot(shape.position(j)));
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void describe_limb(const Shape& shape, std::size_t first, std::vector<LimbRole>& roles) {
  const std::vector<std::size_t> line = main_line(shape, first);
  const double length = shape.reach[first];
  const Eigen::Vector3d start = shape.axes * shape.position(first);
  const Eigen::Vector3d tip = shape.axes * shape.position(line.back());
  const Eigen::Vector3d size = shape.high - shape.low;
  const Eigen::Vector3d middle = 0.5 * (shape.high + shape.low);

  LimbRole role;
  const double aside = middle_left(shape, line) - middle.x();
  if (std::abs(aside) > 0.05 * size.x()) role.side = aside > 0.0 ? 1.0 : -1.0;
  if (size.z() > 0.5 * size.y() && start.z() < middle.z()) role.half = -1.0;
  const bool grounded = tip.y() - shape.low.y() < 0.15 * size.y();
  const bool hanging = start.y() - tip.y() > 0.5 * length;
  role.kind = grounded && hanging ? LimbKind::leg
              : role.side != 0.0  ? LimbKind::arm
                                  : LimbKind::middle;

  double longest = 0.0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i)
    longest = std::max(longest, segment_of(shape, line[i]).norm());
  const auto segments = static_cast<int>(line.size()) - 1;
  role.flexible = segments >= flexible_joints && longest < 1.7 * length / segments;
  if (role.flexible)
    role.share = 2.0 / segments;
  else if (role.kind == LimbKind::middle)
    role.share = 2.0 / (segments + 2);
  role.bends = true;
  bool begun = false;
  for (const std::size_t j : line) {
    role.segment = segment_of(shape, j);
    // A collarbone is not a shoulder: short joints before the first long one hardly rotate.
    const bool counts = role.segment.norm() >= min_segment * longest || begun;
    roles[j] = role;
    if (!counts && !role.flexible) roles[j].share = 0.1;
    if (counts) ++role.index_in_limb;
    begun = begun || counts;
  }
}

/// Target direction of a joint's segment, and the fraction of the full bend.
struct Bend {
  Eigen::Vector3d toward;  ///< left, up, front
  double part;
};

const Eigen::Vector3d left = Eigen::Vector3d::UnitX(), up = Eigen::Vector3d::UnitY(),
                      front = Eigen::Vector3d::UnitZ();

Bend stride(const LimbRole& role) {
  const double phase = role.side * role.half;
  switch (role.kind) {
    case LimbKind::trunk:
      return {front, 0.6};
    case LimbKind::leg:
      if (role.index_in_limb == 0) return {phase >= 0.0 ? front : -front, phase >= 0.0 ? 1.0 : 0.4};
      return role.index_in_limb == 1 ? Bend{-front, phase >= 0.0 ? 1.2 : 0.8} : Bend{front, 0.4};
    case LimbKind::arm:
      if (role.flexible) return {-up, 1.0};
      if (role.index_in_limb == 0) return {-up - 0.7 * phase * front, 1.0};
      return role.index_in_limb == 1 ? Bend{front, 1.2} : Bend{front, 0.5};
    case LimbKind::middle:
      return {left, role.flexible ? 1.0 : 0.8};
  }
  return {front, 0.0};
}

Bend crouch(const LimbRole& role) {
  const Eigen::Vector3d outward = role.side * left;
  switch (role.kind) {
    case LimbKind::trunk:
      return {left, 0.5};
    case LimbKind::leg:
      if (role.index_in_limb == 0) return {front + 0.6 * outward, 1.5};
      return role.index_in_limb == 1 ? Bend{-front, 2.0} : Bend{front, 0.6};
    case LimbKind::arm:
      if (role.flexible) return {up, 1.0};
      if (role.index_in_limb == 0) return {up + 0.3 * front, 0.8};
      return role.index_in_limb == 1 ? Bend{up + 0.2 * front, 1.6} : Bend{-outward, 0.5};
    case LimbKind::middle:
      return {up + 0.3 * front, role.flexible ? 0.7 : -0.8};
  }
  return {front, 0.0};
}

}  // namespace

std::vector<LimbRole> limb_roles(const Scene& scene) {
  const Shape shape = measure(scene);
  std::vector<LimbRole> roles(scene.joints.size());
  int bending_trunk = 0;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    const int parent = scene.joints[j].parent;
    const bool in_trunk = shape.limbs[j] >= 2;
    if (in_trunk) {
      roles[j].segment = segment_of(shape, j);
      roles[j].bends = parent >= 0;
      bending_trunk += roles[j].bends ? 1 : 0;
      continue;
    }
    const bool begins = parent < 0 || shape.limbs[parent] >= 2;
    const double path_length =
        shape.reach[j] + (parent < 0 ? 0.0 : shape.length(static_cast<std::size_t>(parent), j));
    if (begins && path_length > 0.0) describe_limb(shape, j, roles);
  }
  for (LimbRole& role : roles)
    if (role.kind == LimbKind::trunk) role.share = 1.0 / std::max(1, bending_trunk);
  return roles;
}

std::vector<Eigen::Affine3d> pose_joints(std::span<const SceneJoint> joints,
                                         std::span<const Eigen::Quaterniond> turn) {
  std::vector<Eigen::Affine3d> pose(joints.size(), Eigen::Affine3d::Identity());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    if (parent >= 0) pose[j] = pose[parent];
    if (j >= turn.size()) continue;
    const Eigen::Affine3d& bind = joints[j].bind;
    const Eigen::Affine3d inverse = bind.inverse();
    if (!inverse.matrix().allFinite()) continue;
    // With posed world P = P_parent L R and T = P bind^-1, the local L cancels, so no parent's bind
    // is inverted.
    pose[j] = pose[j] * (bind * turn[j] * inverse);
  }
  return pose;
}

Eigen::Quaterniond turn_in_frame(const Eigen::Affine3d& bind, const Eigen::Matrix3d& turn) {
  const Eigen::Matrix3d frame = bind.linear();
  if (!frame.allFinite()) return Eigen::Quaterniond::Identity();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(frame, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Matrix3d axes = svd.matrixU() * svd.matrixV().transpose();
  return Eigen::Quaterniond(Eigen::Matrix3d(axes.transpose() * turn * axes));
}

std::vector<Eigen::Vector3d> skin_positions(const SceneMesh& mesh,
                                            std::span<const Eigen::Affine3d> pose) {
  std::vector<Eigen::Vector3d> skinned = mesh.positions;
  const SkinWeights& weights = mesh.weights;
  const std::size_t weighted = std::min(skinned.size(), weights.vertex_count());
  for (std::size_t v = 0; v < weighted; ++v) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double total = 0.0;
    for (std::size_t k = weights.first[v]; k < weights.first[v + 1]; ++k) {
      const std::size_t joint = weights.joint[k];
      if (joint >= pose.size()) continue;
      const double w = weights.weight[k];
      sum += w * (pose[joint] * mesh.positions[v]);
      total += w;
    }
    if (total > 0.0) skinned[v] = sum / total;
  }
  return skinned;
}

std::vector<Eigen::Quaterniond> bent_pose(const Scene& scene, BentPose pose, double degrees) {
  const ViewRotation axes = view_of(scene.units, 0.0);
  const std::vector<LimbRole> roles = limb_roles(scene);
  std::vector<Eigen::Quaterniond> turns(roles.size(), Eigen::Quaterniond::Identity());
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (!roles[j].bends || !roles[j].segment.allFinite()) continue;
    const Bend bend = pose == BentPose::stride ? stride(roles[j]) : crouch(roles[j]);
    const Eigen::Vector3d segment = (axes * roles[j].segment).normalized();
    // If a segment already points to its target, it rotates toward the next axis instead.
    Eigen::Vector3d axis = segment.cross(bend.toward.normalized());
    if (axis.norm() < 0.3) axis = segment.cross(std::abs(segment.z()) > 0.7 ? left : front);
    if (axis.norm() < 0.3) continue;
    const double angle = degrees * M_PI / 180.0 * bend.part * roles[j].share;
    const Eigen::AngleAxisd turn(angle, axes.transpose() * axis.normalized());
    turns[j] = turn_in_frame(scene.joints[j].bind, turn.toRotationMatrix());
  }
  return turns;
}

}  // namespace gvbind::preview
