#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bind/bind_scene.h"
#include "formats/document.h"
#include "rig/face_parts.h"
#include "rig/held_things.h"

namespace gvbind::test {

/// Meshes of a file joined into one, upright: x left, y up, z front.
struct SkinnedBody {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<Joint> joints;         ///< all joints of the file
  std::vector<double> joint_weight;  ///< per joint, the sum over vertices
  SkinWeights weights;               ///< as in the file
  std::vector<Triangle> face;        ///< of parts that are named as of a face
  std::size_t skinned = 0;           ///< triangles of skinned meshes; those of others come last
};

/// `with_attached`: not the skinned meshes alone, but also those that hang from a joint. Things
/// that the character holds are left out, as `rig` leaves them out.
inline SkinnedBody skinned_body(const std::string& file, bool with_attached = false) {
  Findings findings;
  Scene scene = scene_of(read_document(file, findings), {}, findings);
  for (SceneMesh& mesh : scene.meshes)
    mesh.selected = !mesh.weights.empty() || (with_attached && mesh.attached_to >= 0);
  const std::vector<std::vector<Triangle>> triangles = rig::body_triangles(scene);
  const std::vector<std::vector<Triangle>> face = rig::face_triangles(scene);
  const Eigen::Vector3d up = scene.units.up, front = scene.units.front;
  Eigen::Matrix3d turn;
  turn << up.cross(front).transpose(), up.transpose(), front.transpose();
  SkinnedBody body;
  body.joints = joint_points(scene);
  for (Joint& joint : body.joints) joint.position = turn * joint.position;
  body.joint_weight.assign(body.joints.size(), 0.0);
  const auto add = [&](const SceneMesh& mesh) {
    const auto base = static_cast<std::uint32_t>(body.positions.size());
    for (const Eigen::Vector3d& p : mesh.positions) body.positions.push_back(turn * p);
    const auto own = static_cast<std::size_t>(&mesh - scene.meshes.data());
    for (const Triangle& t : triangles[own])
      body.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    for (const Triangle& t : face[own])
      body.face.push_back({t[0] + base, t[1] + base, t[2] + base});
  };
  for (const SceneMesh& mesh : scene.meshes) {
    if (mesh.weights.empty()) continue;
    add(mesh);
    for (std::size_t i = 0; i < mesh.weights.joint.size(); ++i)
      body.joint_weight[mesh.weights.joint[i]] += mesh.weights.weight[i];
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      body.weights.append_row(mesh.weights, v);
  }
  body.skinned = body.triangles.size();
  for (const SceneMesh& mesh : scene.meshes)
    if (mesh.selected && mesh.weights.empty()) add(mesh);
  return body;
}

}  // namespace gvbind::test
