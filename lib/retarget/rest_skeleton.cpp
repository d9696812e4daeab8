#include "retarget/rest_skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gvbind::retarget {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// By node, its matrix at bind time, where a skin tells.
using Binds = std::vector<std::optional<Eigen::Affine3d>>;

Binds binds_of(const NodeScene& scene) {
  Binds binds(scene.nodes.size());
  for (const Skin& skin : scene.skins)
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      if (skin.joints[j] < 0) continue;
      std::optional<Eigen::Affine3d>& bind = binds[skin.joints[j]];
      const Eigen::Affine3d matrix =
          j < skin.joint_binds.size() ? skin.joint_binds[j] : skin.inverse_binds[j].inverse();
      if (!bind && matrix.matrix().allFinite() && std::abs(matrix.linear().determinant()) > 1e-18)
        bind = matrix;
    }
  return binds;
}

Matrix3d rotation_part(const Eigen::Affine3d& matrix) {
  Transform split;
  split_matrix(matrix, split);
  return split.rotation.toRotationMatrix();
}

/// Takes the mirrors of the nodes out of their binds. A bind space without the mirror of a whole
/// skeleton is taken as its mirror image.
void straighten(const std::vector<Vector3d>& signs, Binds& binds) {
  int apart = 0;
  for (std::size_t i = 0; i < binds.size(); ++i) {
    if (!binds[i]) continue;
    binds[i]->linear() *= signs[i].asDiagonal();
    apart += binds[i]->linear().determinant() < 0.0 ? 1 : -1;
  }
  if (apart <= 0) return;
  for (auto& bind : binds)
    if (bind) *bind = Eigen::Affine3d(Eigen::Scaling(-1.0, 1.0, 1.0)) * *bind;
}

/// The 24 turns by right angles.
std::vector<Matrix3d> right_turns() {
  std::vector<Matrix3d> turns;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (const double s : {1.0, -1.0})
        for (const double t : {1.0, -1.0}) {
          if (a == b) continue;
          Matrix3d turn;
          turn.col(0) = s * Vector3d::Unit(a);
          turn.col(1) = t * Vector3d::Unit(b);
          turn.col(2) = turn.col(0).cross(turn.col(1));
          turns.push_back(turn);
        }
  return turns;
}

/// The turn from bind space to the world that suits most joints: a pose bends single joints, other
/// axes turn all.
Matrix3d turn_to_world(const Binds& binds, const WorldPose& world) {
  Matrix3d best = Matrix3d::Identity();
  double most = -1e300;
  for (const Matrix3d& turn : right_turns()) {
    double fit = turn.isIdentity(0.0) ? 1e-6 : 0.0;
    for (std::size_t i = 0; i < binds.size(); ++i)
      if (binds[i])
        fit += (turn * rotation_part(*binds[i]))
                   .cwiseProduct(world.rotations[i].toRotationMatrix())
                   .sum();
    if (fit > most) {
      most = fit;
      best = turn;
    }
  }
  return best;
}

/// The ratio of bone lengths, 1 where it is near that.
double scale_to_world(const Binds& binds, const RestSkeleton& nodes) {
  double bound = 0.0, posed = 0.0;
  for (std::size_t i = 0; i < binds.size(); ++i) {
    const int parent = nodes.parents[i];
    if (parent < 0 || !binds[i] || !binds[parent]) continue;
    bound += (binds[i]->translation() - binds[parent]->translation()).norm();
    posed += (nodes.world.positions[i] - nodes.world.positions[parent]).norm();
  }
  constexpr double same = 0.3;  // of the length: a pose may move joints a little
  const double scale = bound > 0.0 && posed > 0.0 ? posed / bound : 1.0;
  return std::abs(scale - 1.0) < same ? 1.0 : scale;
}

/// Files whose bind space lies elsewhere get their first joint back to where its node is.
Vector3d shift_to_world(const Binds& binds, const RestSkeleton& nodes, const Matrix3d& turn,
                        double scale) {
  double size = 0.0;
  std::optional<Vector3d> shift;
  for (std::size_t i = 0; i < binds.size(); ++i) {
    if (!binds[i]) continue;
    const Vector3d bound = scale * (turn * binds[i]->translation());
    if (!shift) shift = nodes.world.positions[i] - bound;
    size = std::max(size, (bound + *shift - nodes.world.positions[i]).norm());
    if (const int parent = nodes.parents[i]; parent >= 0)
      size =
          std::max(size, 5.0 * (nodes.world.positions[i] - nodes.world.positions[parent]).norm());
  }
  return shift && shift->norm() > size ? *shift : Vector3d::Zero();
}

/// By node, whether it is a joint of a skin, or above or below one.
std::vector<bool> nodes_by_skin(const NodeScene& scene) {
  if (scene.skins.empty()) return {};
  std::vector<bool> is_above(scene.nodes.size(), false), is_below = is_above;
  for (const Skin& skin : scene.skins)
    for (const int joint : skin.joints) {
      if (joint < 0) continue;
      is_below[joint] = true;
      for (int at = joint; at >= 0 && !is_above[at]; at = scene.nodes[at].parent)
        is_above[at] = true;
    }
  for (std::size_t i = 0; i < is_below.size(); ++i)
    if (const int parent = scene.nodes[i].parent; parent >= 0 && is_below[parent])
      is_below[i] = true;
  std::vector<bool> out;
  for (std::size_t i = 0; i < is_below.size(); ++i) out.push_back(is_below[i] || is_above[i]);
  return out;
}

}  // namespace

std::vector<Vector3d> carried_signs(const std::vector<int>& parents,
                                    const std::vector<Transform>& locals) {
  std::vector<Vector3d> signs;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const Vector3d own =
        locals[i].scale.unaryExpr([](double scale) { return scale < 0.0 ? -1.0 : 1.0; });
    signs.emplace_back(parents[i] < 0 ? own : Vector3d(signs[parents[i]].cwiseProduct(own)));
  }
  return signs;
}

Quaterniond mirrored(const Quaterniond& rotation, const Vector3d& signs) {
  Quaterniond out = rotation;
  out.vec() = signs.prod() * signs.cwiseProduct(rotation.vec());
  return out;
}

bool is_mirrored(const RestSkeleton& skeleton, int node) {
  return carried_signs(skeleton.parents, skeleton.locals)[node].prod() < 0.0;
}

WorldPose world_pose(const std::vector<int>& parents, const std::vector<Transform>& locals) {
  WorldPose out;
  const std::vector<Vector3d> signs = carried_signs(parents, locals);
  std::vector<Eigen::Affine3d> matrices;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const Eigen::Affine3d local = matrix_of(locals[i]);
    const int parent = parents[i];
    matrices.push_back(parent < 0 ? local : matrices[parent] * local);
    out.rotations.push_back(
        (parent < 0 ? locals[i].rotation
                    : out.rotations[parent] * mirrored(locals[i].rotation, signs[parent]))
            .normalized());
    out.positions.push_back(matrices.back().translation());
  }
  return out;
}

RestSkeleton node_pose_skeleton(const NodeScene& scene) {
  RestSkeleton out;
  const bool marked =
      std::ranges::any_of(scene.nodes, [](const Node& node) { return node.is_joint; });
  for (const Node& node : scene.nodes) {
    out.names.push_back(node.name);
    out.parents.push_back(node.parent);
    const bool plain = node.mesh < 0 && node.camera < 0 && node.light < 0;
    out.is_joint.push_back(marked ? node.is_joint : plain);
    out.locals.push_back(node.local);
  }
  out.by_skin = nodes_by_skin(scene);
  out.world = world_pose(out.parents, out.locals);
  return out;
}

std::optional<RestSkeleton> bind_pose_skeleton(const NodeScene& scene) {
  RestSkeleton out = node_pose_skeleton(scene);
  Binds binds = binds_of(scene);
  if (std::ranges::none_of(binds, [](const auto& bind) { return bind.has_value(); })) return {};
  const std::vector<Vector3d> signs = carried_signs(out.parents, out.locals);
  straighten(signs, binds);
  const Matrix3d turn = turn_to_world(binds, out.world);
  const double scale = scale_to_world(binds, out);
  const Vector3d shift = shift_to_world(binds, out, turn, scale);
  std::vector<Eigen::Affine3d> matrices;
  std::vector<Quaterniond> rotations;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int parent = out.parents[i];
    const Eigen::Affine3d above = parent < 0 ? Eigen::Affine3d::Identity() : matrices[parent];
    const Quaterniond turned = parent < 0 ? Quaterniond::Identity() : rotations[parent];
    const Vector3d mirror = parent < 0 ? Vector3d(Vector3d::Ones()) : signs[parent];
    if (binds[i]) {
      const Quaterniond world(Matrix3d(turn * rotation_part(*binds[i])));
      out.locals[i].rotation = mirrored(turned.conjugate() * world, mirror).normalized();
      out.locals[i].translation =
          above.inverse() * Vector3d(scale * (turn * binds[i]->translation()) + shift);
    }
    matrices.push_back(above * matrix_of(out.locals[i]));
    rotations.push_back((turned * mirrored(out.locals[i].rotation, mirror)).normalized());
  }
  out.world = world_pose(out.parents, out.locals);
  for (const Vector3d& position : out.world.positions)
    if (!position.allFinite()) return {};
  return out;
}

}  // namespace gvbind::retarget
