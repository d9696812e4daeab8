#include "formats/clip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/fbx/animation.h"
#include "formats/fbx/document.h"
#include "formats/fbx/transform.h"
#include "formats/gltf/animation.h"
#include "formats/gltf/nodes.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

using GltfPointer = std::shared_ptr<GltfDocument>;
using FbxPointer = std::shared_ptr<FbxDocument>;

std::vector<Eigen::Affine3d> animated_joints(const Document& document, const Scene& scene,
                                             std::size_t clip, double seconds) {
  std::vector<Eigen::Affine3d> joints;
  if (const auto* gltf = std::get_if<GltfPointer>(&document)) {
    gltf::Json root;
    root["nodes"] = gltf::animated_nodes(**gltf, clip, seconds);
    const gltf::NodeTree tree = gltf::node_tree(root);
    for (const SceneJoint& joint : scene.joints) joints.push_back(tree.world[joint.node]);
  } else if (const auto* fbx = std::get_if<FbxPointer>(&document)) {
    const auto world = animated_transforms(**fbx, objects_of(**fbx), clip, seconds);
    for (const SceneJoint& joint : scene.joints) joints.push_back(world.at(joint.node));
  }
  return joints;
}

/// Where `bind` is a joint's own bind in one skin, whether that is elsewhere than in the scene.
bool is_elsewhere(const Eigen::Affine3d& bind, const Eigen::Affine3d& in_scene) {
  constexpr double same = 1e-4;
  return bind.matrix().allFinite() &&
         (bind.matrix() - in_scene.matrix()).norm() > same * (1.0 + in_scene.matrix().norm());
}

/// Gives one mesh a joint in the place of another, which it moves with from a bind of its own.
void replace_joint(SceneMesh& mesh, std::uint32_t joint, const Eigen::Affine3d& bind, Scene& scene,
                   std::vector<Eigen::Affine3d>& pose) {
  const Eigen::Affine3d moved = pose[joint] * scene.joints[joint].bind * bind.inverse();
  if (!moved.matrix().allFinite()) return;
  std::ranges::replace(mesh.weights.joint, joint, static_cast<std::uint32_t>(pose.size()));
  SceneJoint own = scene.joints[joint];
  own.bind = bind;
  scene.joints.push_back(std::move(own));
  pose.push_back(moved);
}

/// The axis-aligned rotation nearest to a matrix, with its mean scale.
Eigen::Matrix3d nearest_axes(const Eigen::Matrix3d& matrix) {
  Eigen::Matrix3d rest = matrix.colwise().normalized(), turn = Eigen::Matrix3d::Zero();
  for (int step = 0; step < 3; ++step) {
    Eigen::Index row = 0, column = 0;
    rest.cwiseAbs().maxCoeff(&row, &column);
    turn(row, column) = std::copysign(1.0, rest(row, column));
    rest.row(row).setZero();
    rest.col(column).setZero();
  }
  return std::cbrt(std::abs(matrix.determinant())) * turn;
}

}  // namespace

std::vector<std::string> clip_names(const Document& document) {
  if (const auto* gltf = std::get_if<GltfPointer>(&document))
    return gltf::animation_names((*gltf)->json);
  if (const auto* fbx = std::get_if<FbxPointer>(&document))
    return animation_names(objects_of(**fbx));
  return {};
}

bool moves_morphs(const Document& document, std::size_t clip) {
  if (const auto* gltf = std::get_if<GltfPointer>(&document))
    return gltf::moves_morphs((*gltf)->json, clip);
  if (const auto* fbx = std::get_if<FbxPointer>(&document))
    return moves_morphs(**fbx, objects_of(**fbx), clip);
  return false;
}

Eigen::Affine3d world_to_bind(const Document& document, const Scene& scene) {
  // The linear part comes from the root joint. An animation may lean it in the node pose, so the
  // nearest axes are used; the origin stays.
  Eigen::Affine3d result = Eigen::Affine3d::Identity();
  const std::vector<Eigen::Affine3d> nodes = node_transforms(document, scene);
  if (nodes.empty()) return result;
  const Eigen::Matrix3d linear = (scene.joints[0].bind * nodes[0].inverse()).linear();
  if (linear.allFinite() && std::abs(linear.determinant()) > 1e-30)
    result.linear() = nearest_axes(linear);
  return result;
}

std::vector<Eigen::Affine3d> clip_pose(const Document& document, const Scene& scene,
                                       std::size_t clip, double seconds) {
  const Eigen::Affine3d to_bind = world_to_bind(document, scene);
  std::vector<Eigen::Affine3d> pose = animated_joints(document, scene, clip, seconds);
  for (std::size_t j = 0; j < pose.size(); ++j) {
    if (!pose[j].matrix().allFinite())
      throw Error(ErrorKind::input, "clip '" + clip_names(document)[clip] + "': joint '" +
                                        scene.joints[j].name + "' gets a value that is not finite");
    pose[j] = to_bind * pose[j] * scene.joints[j].bind.inverse();
    if (!pose[j].matrix().allFinite()) pose[j] = Eigen::Affine3d::Identity();
  }
  return pose;
}

void add_clip_joints(const Document& document, std::size_t clip, double seconds, Scene& scene,
                     std::vector<Eigen::Affine3d>& pose) {
  const auto* gltf = std::get_if<GltfPointer>(&document);
  if (!gltf) return;
  const Eigen::Affine3d to_bind = world_to_bind(document, scene);
  gltf::Json root;
  root["nodes"] = gltf::animated_nodes(**gltf, clip, seconds);
  const gltf::NodeTree tree = gltf::node_tree(root);
  for (SceneMesh& mesh : scene.meshes) {
    if (mesh.weights.empty()) {
      const Eigen::Affine3d moved = to_bind * tree.world[mesh.node] * mesh.to_bind.inverse();
      if (!moved.matrix().allFinite()) continue;  // flat at rest: it stays with its joint
      mesh.attached_to = static_cast<int>(pose.size());
      scene.joints.push_back({mesh.name, -1, mesh.to_bind, false, mesh.node});
      pose.push_back(moved);
      continue;
    }
    for (std::size_t slot = 0; slot < mesh.inverse_binds.size(); ++slot) {
      const int joint = mesh.skin_joints[slot];
      if (joint < 0 || mesh.unset_binds[slot]) continue;
      const Eigen::Affine3d bind = mesh.to_bind * mesh.inverse_binds[slot].inverse();
      if (is_elsewhere(bind, scene.joints[joint].bind))
        replace_joint(mesh, static_cast<std::uint32_t>(joint), bind, scene, pose);
    }
  }
}

}  // namespace gvbind
