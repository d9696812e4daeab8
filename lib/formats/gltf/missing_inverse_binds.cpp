#include "formats/gltf/missing_inverse_binds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gvbind::gltf {

namespace {

constexpr double min_apart = 1e-3;         // of the skeleton's size: joints at different places
constexpr double length_tolerance = 0.05;  // of the bone's length

/// The joints in both poses: at bind and in the node pose.
struct TwoPoses {
  std::vector<Eigen::Affine3d> bind;  ///< joint -> mesh space; where it is regular
  std::vector<Eigen::Vector3d> node;  ///< world positions
  std::vector<std::size_t> parent;    ///< slot of the nearest joint above, or no_node
  std::vector<bool> regular;
  double size = 0.0;  ///< of the node pose
};

TwoPoses two_poses(const SkinData& skin, const NodeTree& tree) {
  TwoPoses poses;
  std::vector<bool> marked(tree.parent.size(), false);
  std::vector<std::size_t> slot_of(tree.parent.size(), no_node);
  Eigen::AlignedBox3d box;
  for (std::size_t slot = 0; slot < skin.nodes.size(); ++slot) {
    const std::size_t node = skin.nodes[slot];
    poses.regular.push_back(is_regular(skin.inverse_bind[slot]));
    poses.bind.push_back(poses.regular[slot] ? skin.inverse_bind[slot].inverse()
                                             : Eigen::Affine3d::Identity());
    poses.node.push_back(tree.world[node].translation());
    box.extend(poses.node[slot]);
    marked[node] = true;
    slot_of[node] = slot;
  }
  const std::vector<std::size_t> above = nearest_marked(tree, marked);
  for (const std::size_t node : skin.nodes) {
    const std::size_t outer = tree.parent[node];
    const std::size_t joint = outer == no_node ? no_node : above[outer];
    poses.parent.push_back(joint == no_node ? no_node : slot_of[joint]);
  }
  poses.size = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return poses;
}

/// Regular joints that share their matrix with another joint at a different place.
std::vector<bool> shared_matrices(const SkinData& skin, const TwoPoses& poses) {
  const auto same = [&](std::size_t a, std::size_t b) {
    return skin.inverse_bind[a].matrix() == skin.inverse_bind[b].matrix();
  };
  const auto before = [&](std::size_t a, std::size_t b) {
    const auto &x = skin.inverse_bind[a].matrix(), &y = skin.inverse_bind[b].matrix();
    return std::lexicographical_compare(x.data(), x.data() + 16, y.data(), y.data() + 16);
  };
  std::vector<std::size_t> slots(poses.node.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  std::erase_if(slots, [&](std::size_t slot) { return !poses.regular[slot]; });
  std::ranges::sort(slots, before);
  std::vector<bool> shared(poses.node.size(), false);
  for (std::size_t first = 0, end = 0; first < slots.size(); first = end) {
    Eigen::AlignedBox3d box;
    for (end = first; end < slots.size() && same(slots[first], slots[end]); ++end)
      box.extend(poses.node[slots[end]]);
    if (box.diagonal().norm() <= min_apart * poses.size) continue;
    for (std::size_t i = first; i < end; ++i) shared[slots[i]] = true;
  }
  return shared;
}

/// Length in mesh space per length in the world, by the joints with reliable matrices.
double length_ratio(const SkinData& skin, const NodeTree& tree, const TwoPoses& poses,
                    const std::vector<bool>& sure) {
  std::vector<double> ratios;
  for (std::size_t slot = 0; slot < sure.size(); ++slot) {
    const double world = std::abs(tree.world[skin.nodes[slot]].linear().determinant());
    const double bind = std::abs(poses.bind[slot].linear().determinant());
    if (sure[slot] && world > 0.0) ratios.push_back(std::cbrt(bind / world));
  }
  std::ranges::sort(ratios);
  return ratios.empty() ? 1.0 : ratios[ratios.size() / 2];
}

struct Bone {
  std::size_t parent, child;  ///< slots
};

/// Whether the child is at the same place of its parent in both poses.
bool keeps_its_place(const SkinData& skin, const NodeTree& tree, const TwoPoses& poses, Bone bone,
                     double ratio) {
  const Eigen::Vector3d at_bind =
      poses.bind[bone.parent].rotation().transpose() *
      (poses.bind[bone.child].translation() - poses.bind[bone.parent].translation());
  const Eigen::Vector3d in_world = ratio *
                                   tree.world[skin.nodes[bone.parent]].rotation().transpose() *
                                   (poses.node[bone.child] - poses.node[bone.parent]);
  const double tolerance = length_tolerance * in_world.norm() + min_apart * ratio * poses.size;
  return (at_bind - in_world).norm() <= tolerance;
}

}  // namespace

std::vector<bool> missing_inverse_binds(const SkinData& skin, const NodeTree& tree) {
  const TwoPoses poses = two_poses(skin, tree);
  const std::vector<bool> shared = shared_matrices(skin, poses);
  const std::size_t count = skin.nodes.size();
  std::vector<bool> sure(count), unset(count), confirmed(count, false);
  for (std::size_t slot = 0; slot < count; ++slot) {
    sure[slot] = poses.regular[slot] && !shared[slot];
    unset[slot] = !poses.regular[slot];
  }
  // Nothing to compare with, perhaps because all joints are at one place.
  if (std::ranges::find(sure, true) == sure.end()) return unset;
  const double ratio = length_ratio(skin, tree, poses, sure);
  std::vector<bool> contradicted(count, false);
  const auto compare = [&](std::size_t slot, bool agrees) {
    if (shared[slot]) (agrees ? confirmed : contradicted)[slot] = true;
  };
  for (std::size_t slot = 0; slot < count; ++slot) {
    const std::size_t parent = poses.parent[slot];
    if (parent == no_node || (!sure[slot] && !sure[parent])) continue;
    const bool agrees = keeps_its_place(skin, tree, poses, {parent, slot}, ratio);
    if (sure[parent]) compare(slot, agrees);
    if (sure[slot]) compare(parent, agrees);
  }
  for (std::size_t slot = 0; slot < count; ++slot)
    if (shared[slot] && (contradicted[slot] || !confirmed[slot])) unset[slot] = true;
  return unset;
}

}  // namespace gvbind::gltf
