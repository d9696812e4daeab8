#include "bind/guessed_joints.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <variant>
#include <vector>

#include "bind/skeleton_fit.h"
#include "formats/clip.h"
#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

Eigen::AlignedBox3d box_of_meshes(const Scene& scene) {
  Eigen::AlignedBox3d box;
  for (const SceneMesh& mesh : scene.meshes)
    for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  return box;
}

/// Whether all meshes hang from joints and each leaf holds some, or stands apart as lights do. A
/// skeleton ends in leaves within the body that hold nothing.
bool only_group(const Scene& scene) {
  std::vector<bool> holds(scene.joints.size(), false);
  for (const SceneMesh& mesh : scene.meshes) {
    if (mesh.attached_to < 0) return false;
    holds[mesh.attached_to] = true;
  }
  for (const SceneJoint& joint : scene.joints)
    if (joint.parent >= 0) holds[joint.parent] = true;
  const Eigen::AlignedBox3d box = box_of_meshes(scene);
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (!holds[j] && box.contains(scene.joints[j].bind.translation())) return false;
  return true;
}

/// Whether there are few joints, about a small part of the meshes.
bool only_mark(const Scene& scene) {
  constexpr std::size_t most = 12;  // more are a skeleton in another unit
  constexpr double covered = 0.5;
  if (scene.joints.size() > most) return false;
  std::vector<std::size_t> meshes(scene.meshes.size());
  std::iota(meshes.begin(), meshes.end(), 0);
  return skeleton_fit(scene.joints, {scene, scene.joints}, meshes).covered < covered;
}

}  // namespace

void leave_out_groups(const BindRequest& request, BindableFile& f, Findings& findings) {
  Scene& scene = f.scene;
  if (scene.joints.empty() || scene.meshes.empty() || scene.has_skin()) return;
  if (!request.selection.roots.empty() || !request.selection.joints.empty()) return;
  // Other formats say themselves which nodes are joints.
  if (!std::holds_alternative<std::shared_ptr<GltfDocument>>(f.document)) return;
  if (!clip_names(f.document).empty() || !(only_group(scene) || only_mark(scene))) return;
  findings.push_back({Severity::note, "nodes-not-joints",
                      counted(scene.joints.size(), "node", "nodes") +
                          " without a skin, which only hold meshes or mark places, are not taken "
                          "for joints; the first is '" +
                          scene.joints.front().name + "'",
                      scene.joints.front().name});
  scene.joints.clear();
  for (SceneMesh& mesh : scene.meshes) mesh.attached_to = -1;
  f.found.roots = {""};  // which no node is called, so that a conversion finds no joints either
}

}  // namespace gvbind
