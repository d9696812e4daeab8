#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bind/bind_scene.h"
#include "formats/document.h"

namespace gvbind::test {

/// The skinned meshes of a file joined into one, upright: x left, y up, z front.
struct SkinnedBody {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<Joint> joints;         ///< all joints of the file
  std::vector<double> joint_weight;  ///< per joint, the sum over vertices
  SkinWeights weights;               ///< as in the file
};

inline SkinnedBody skinned_body(const std::string& file) {
  Findings findings;
  const Scene scene = scene_of(read_document(file, findings), {}, findings);
  const Eigen::Vector3d up = scene.units.up, front = scene.units.front;
  Eigen::Matrix3d turn;
  turn << up.cross(front).transpose(), up.transpose(), front.transpose();
  SkinnedBody body;
  body.joints = joint_points(scene);
  for (Joint& joint : body.joints) joint.position = turn * joint.position;
  body.joint_weight.assign(body.joints.size(), 0.0);
  for (const SceneMesh& mesh : scene.meshes) {
    if (mesh.weights.empty()) continue;
    const auto base = static_cast<std::uint32_t>(body.positions.size());
    for (const Eigen::Vector3d& p : mesh.positions) body.positions.push_back(turn * p);
    for (const Triangle& t : mesh.triangles)
      body.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    for (std::size_t i = 0; i < mesh.weights.joint.size(); ++i)
      body.joint_weight[mesh.weights.joint[i]] += mesh.weights.weight[i];
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      body.weights.append_row(mesh.weights, v);
  }
  return body;
}

}  // namespace gvbind::test
