#pragma once

#include "character/scene.h"
#include "support/shapes.h"

namespace gvbind::test {

/// An upright tube of two joints that own half of the vertices each, and a third joint at its end;
/// `weighted`: the fraction of the tube, from the bottom, that has weights.
inline Scene tube(double weighted = 1.0) {
  const Shape shape = capsule({0, 0.2, 0}, {0, 1.8, 0}, 0.2);
  Scene scene;
  scene.joints.resize(3);
  for (std::size_t j = 0; j < 3; ++j) {
    scene.joints[j].parent = static_cast<int>(j) - 1;
    scene.joints[j].bind.translation().y() = 0.9 * static_cast<double>(j);
  }
  SceneMesh mesh;
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  for (const Eigen::Vector3d& p : mesh.positions) {
    if (p.y() <= 2.0 * weighted) {
      mesh.weights.joint.push_back(p.y() < 0.9 ? 0 : 1);
      mesh.weights.weight.push_back(1.0F);
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  mesh.skin_joints = {0, 1, 2};
  scene.meshes.push_back(mesh);
  return scene;
}

}  // namespace gvbind::test
