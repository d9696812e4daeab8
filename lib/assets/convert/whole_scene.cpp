#include "assets/convert/whole_scene.h"

#include <algorithm>

namespace gvbind {
namespace whole {

Eigen::Affine3d matrix_of(const Transform& transform) {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  out.translate(transform.translation);
  out.rotate(transform.rotation);
  out.scale(transform.scale);
  return out;
}

double scene_size(const Scene& scene) {
  Eigen::AlignedBox3d box;
  for (const Mesh& mesh : scene.meshes)
    for (const Eigen::Vector3f& p : mesh.positions) box.extend(p.cast<double>());
  return box.isEmpty() ? 1.0 : std::max(box.diagonal().norm(), 1e-9);
}

bool split_matrix(const Eigen::Affine3d& matrix, Transform& out) {
  constexpr double max_shear = 1e-4;  // of the largest scale
  Eigen::Matrix3d rotation, scaling;
  matrix.computeRotationScaling(&rotation, &scaling);
  out.translation = matrix.translation();
  out.rotation = Eigen::Quaterniond(rotation).normalized();
  // Columns tell mirrored axes apart, which the rotation above spreads over all three.
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

}  // namespace whole

void Losses::add(std::string_view one, std::string_view many, std::size_t count) {
  if (count == 0) return;
  const auto same = std::ranges::find(kinds, one, &Kind::one);
  if (same != kinds.end())
    same->count += count;
  else
    kinds.push_back({std::string(one), std::string(many), count});
}

std::string Losses::text() const {
  std::string out;
  for (const Kind& kind : kinds)
    out += (out.empty() ? "" : ", ") + std::to_string(kind.count) + " " +
           (kind.count == 1 ? kind.one : kind.many);
  return out;
}

}  // namespace gvbind
