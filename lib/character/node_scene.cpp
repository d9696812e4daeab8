#include "character/node_scene.h"

#include <algorithm>
#include <cmath>

namespace gvbind {
namespace {

double largest_scale(const Eigen::Affine3d& matrix) {
  return matrix.linear().colwise().norm().maxCoeff();
}

/// Mesh -> rest position in the world. A skin's joints may have meaningless matrices, so one in the
/// middle of the list is used.
Eigen::Affine3d drawn_matrix(const NodeScene& scene, std::size_t i,
                             const std::vector<Eigen::Affine3d>& world) {
  const Node& node = scene.nodes[i];
  if (node.skin < 0) return world[i];
  const Skin& skin = scene.skins[node.skin];
  std::vector<Eigen::Affine3d> matrices;
  for (std::size_t j = 0; j < skin.joints.size(); ++j)
    if (const Eigen::Affine3d matrix = world[skin.joints[j]] * skin.inverse_binds[j];
        matrix.matrix().allFinite())
      matrices.push_back(matrix);
  if (matrices.empty()) return world[i];
  const auto middle = matrices.begin() + static_cast<std::ptrdiff_t>(matrices.size() / 2);
  std::ranges::nth_element(matrices, middle, {}, largest_scale);
  return *middle;
}

/// Diagonal of the box around everything drawn at rest; 0 if empty.
double drawn_size(const NodeScene& scene, const std::vector<Eigen::Affine3d>& world) {
  Eigen::AlignedBox3d box;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].mesh < 0) continue;
    const Eigen::Affine3d matrix = drawn_matrix(scene, i, world);
    const Mesh& mesh = scene.meshes[scene.nodes[i].mesh];
    for (const Eigen::Vector3f& p : mesh.positions) box.extend(matrix * p.cast<double>());
  }
  const double size = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return std::isfinite(size) ? size : 0.0;
}

}  // namespace

Eigen::Affine3d matrix_of(const Transform& transform) {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  out.translate(transform.translation);
  out.rotate(transform.rotation);
  out.scale(transform.scale);
  return out;
}

double scene_size(const NodeScene& scene) {
  Eigen::AlignedBox3d box;
  for (const Mesh& mesh : scene.meshes)
    for (const Eigen::Vector3f& p : mesh.positions) box.extend(p.cast<double>());
  return box.isEmpty() ? 1.0 : std::max(box.diagonal().norm(), 1e-9);
}

std::vector<Eigen::Affine3d> world_matrices(const NodeScene& scene) {
  std::vector<Eigen::Affine3d> world;
  for (const Node& node : scene.nodes) {
    const Eigen::Affine3d local = matrix_of(node.local);
    world.push_back(node.parent < 0 ? local : world[node.parent] * local);
  }
  return world;
}

std::vector<double> sizes_below(const NodeScene& scene) {
  const std::vector<Eigen::Affine3d> world = world_matrices(scene);
  const double size = scene_size(scene);
  const double drawn = drawn_size(scene, world);
  constexpr double same_size = 1.5;  // poses and bones change the size by less, units by more
  std::vector<double> out;
  for (const Node& node : scene.nodes) {
    const double scale = node.parent < 0 ? 1.0 : largest_scale(world[node.parent]);
    out.push_back(drawn > 0.0 && size * scale > drawn * same_size ? drawn / scale : size);
  }
  return out;
}

bool split_matrix(const Eigen::Affine3d& matrix, Transform& out) {
  constexpr double max_shear = 1e-4;  // relative to the largest scale
  Eigen::Matrix3d rotation, scaling;
  matrix.computeRotationScaling(&rotation, &scaling);
  out.translation = matrix.translation();
  out.rotation = Eigen::Quaterniond(rotation).normalized();
  // Column lengths keep mirrored axes separate, which the rotation above spreads over all three.
  const Eigen::Vector3d lengths = matrix.linear().colwise().norm();
  const double size = lengths.maxCoeff();
  Eigen::Matrix3d axes = matrix.linear() * lengths.cwiseInverse().asDiagonal();
  if (lengths.minCoeff() > 0 && (axes.transpose() * axes).isIdentity(max_shear)) {
    out.scale = lengths;
    if (axes.determinant() < 0) {
      axes.col(0) *= -1;
      out.scale.x() *= -1;
    }
    out.rotation = Eigen::Quaterniond(axes).normalized();
    return true;
  }
  out.scale = scaling.diagonal();
  const Eigen::Matrix3d rest = scaling - Eigen::Matrix3d(out.scale.asDiagonal());
  return rest.cwiseAbs().maxCoeff() <= max_shear * size;
}

}  // namespace gvbind
