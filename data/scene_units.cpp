#include <Eigen/Geometry>

#include "characters.h"

namespace gvbind {
namespace {

/// Columns: left, up, front.
Eigen::Matrix3d axes_of(const Units& units) {
  Eigen::Matrix3d axes;
  axes << units.up.cross(units.front), units.up, units.front;
  return axes;
}

}  // namespace

Scene in_units(const Scene& scene, const Units& units) {
  const Eigen::Matrix3d turn = axes_of(units) * axes_of(scene.units).transpose();
  const double scale = scene.units.meters / units.meters;
  Scene result = scene;
  result.units = units;
  for (SceneJoint& joint : result.joints) {
    joint.bind.translation() = Eigen::Vector3d(turn * joint.bind.translation() * scale);
    joint.bind.linear() = Eigen::Matrix3d(turn * joint.bind.linear());
  }
  for (SceneMesh& mesh : result.meshes) {
    for (Eigen::Vector3d& p : mesh.positions) p = Eigen::Vector3d(turn * p * scale);
    for (Eigen::Vector3f& n : mesh.normals) n = Eigen::Vector3f(turn.cast<float>() * n);
  }
  return result;
}

}  // namespace gvbind
