#pragma once

#include <algorithm>
#include <cmath>

#include "character/scene.h"
#include "support/shapes.h"

namespace gvbind::test {

inline SceneJoint joint_at(const char* name, int parent, double y) {
  SceneJoint joint;
  joint.name = name;
  joint.parent = parent;
  joint.bind = Eigen::Translation3d(0, y, 0);
  return joint;
}

/// A closed tube of length 4 and radius 0.5 along y with joints at 0 and 2; the weights blend
/// within 0.5 of the second joint.
inline Scene jointed_tube(int around = 24, int along = 48) {
  const Shape shape = capsule({0, 0, 0}, {0, 4, 0}, 0.5, around, along);
  Scene scene;
  scene.joints = {joint_at("lower", -1, 0), joint_at("upper", 0, 2)};
  SceneMesh mesh;
  mesh.name = "tube";
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  mesh.skin_joints = {0, 1};
  for (const Eigen::Vector3d& p : mesh.positions) {
    const double t = std::clamp(p.y() - 1.5, 0.0, 1.0);
    const auto upper = static_cast<float>(t * t * (3.0 - 2.0 * t));
    if (upper < 1.0F) {
      mesh.weights.joint.push_back(0);
      mesh.weights.weight.push_back(1.0F - upper);
    }
    if (upper > 0.0F) {
      mesh.weights.joint.push_back(1);
      mesh.weights.weight.push_back(upper);
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  scene.meshes.push_back(mesh);
  return scene;
}

/// A rotation of the second joint.
inline std::vector<Eigen::Affine3d> tube_pose(double degrees, const Eigen::Vector3d& axis) {
  const Eigen::Affine3d turn = Eigen::Translation3d(0, 2, 0) *
                               Eigen::AngleAxisd(degrees * M_PI / 180.0, axis) *
                               Eigen::Translation3d(0, -2, 0);
  return {Eigen::Affine3d::Identity(), turn};
}

inline double farthest(const std::vector<Eigen::Vector3d>& a,
                       const std::vector<Eigen::Vector3d>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

}  // namespace gvbind::test
