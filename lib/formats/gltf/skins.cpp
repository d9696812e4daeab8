#include "formats/gltf/skins.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "character/selection.h"
#include "formats/gltf/accessor.h"
#include "formats/gltf/missing_inverse_binds.h"
#include "io/glob.h"

namespace gvbind::gltf {

namespace {

std::vector<Eigen::Affine3d> read_matrices(const GltfDocument& document, std::size_t accessor,
                                           std::size_t joints, const JsonElement& element) {
  const AccessorValues values = read_accessor(document, accessor, 16);
  if (values.count < joints)
    fail(element, std::to_string(values.count) + " inverseBindMatrices for " +
                      std::to_string(joints) + " joints");
  std::vector<Eigen::Affine3d> matrices;
  for (std::size_t i = 0; i < joints; ++i) {
    Eigen::Affine3d matrix;
    matrix.matrix() = Eigen::Map<const Eigen::Matrix4d>(values.row(i).data());
    matrix.makeAffine();
    if (!matrix.matrix().allFinite())
      fail(element, "inverse bind matrix " + std::to_string(i) + " is not finite");
    matrices.push_back(matrix);
  }
  return matrices;
}

// Rotation, translation and uniform scale: such transforms keep ratios of lengths.
bool is_similarity(const Eigen::Affine3d& transform) {
  if (!is_regular(transform)) return false;
  const Eigen::Matrix3d square = transform.linear().transpose() * transform.linear();
  return (square / (square.trace() / 3)).isIdentity(1e-3);
}

bool nearly_same(const Eigen::Affine3d& a, const Eigen::Affine3d& b, double tolerance) {
  return (a.matrix() - b.matrix()).norm() <= tolerance * (1 + b.matrix().norm());
}

// Slots with usable matrices, from the root on.
std::vector<std::size_t> slots_by_depth(const SkinData& skin, const NodeTree& tree) {
  std::vector<std::size_t> slots;
  for (std::size_t i = 0; i < skin.nodes.size(); ++i)
    if (!skin.unset[i]) slots.push_back(i);
  std::ranges::stable_sort(slots, {}, [&](std::size_t i) { return tree.depth[skin.nodes[i]]; });
  return slots;
}

// Transforms within rounding of the identity become exactly that, as float noise would only blur
// positions.
Eigen::Affine3d without_rounding(const Eigen::Affine3d& transform) {
  constexpr double rounding = 1e-6;
  return nearly_same(transform, Eigen::Affine3d::Identity(), rounding) ? Eigen::Affine3d::Identity()
                                                                       : transform;
}

// Mesh space -> world if all joints agree, that is, if the nodes hold the bind pose.
std::optional<Eigen::Affine3d> space_of_world(const SkinData& skin, const NodeTree& tree) {
  constexpr double same = 1e-3;
  const auto seen = [&](std::size_t slot) {
    return tree.world[skin.nodes[slot]] * skin.inverse_bind[slot];
  };
  const std::vector<std::size_t> slots = slots_by_depth(skin, tree);
  if (slots.empty()) return std::nullopt;
  const Eigen::Affine3d first = seen(slots[0]);
  for (const std::size_t slot : slots)
    if (!nearly_same(seen(slot), first, same)) return std::nullopt;
  if (!is_regular(first)) return std::nullopt;
  return without_rounding(first);
}

// The nodes hold some frame. Then mesh space is a good bind space if lengths can be compared in it;
// a quantized one may be stretched, and there the topmost joint with a similarity defines the
// space.
std::optional<Eigen::Affine3d> space_of_frame(const SkinData& skin, const NodeTree& tree) {
  std::optional<Eigen::Affine3d> in_world;
  for (const std::size_t slot : slots_by_depth(skin, tree)) {
    if (is_similarity(skin.inverse_bind[slot])) return Eigen::Affine3d::Identity();
    if (!in_world && is_similarity(tree.world[skin.nodes[slot]]) &&
        is_regular(skin.inverse_bind[slot]))
      in_world = tree.world[skin.nodes[slot]] * skin.inverse_bind[slot];
  }
  return in_world;
}

// For a later skin that shares no joint with earlier ones: uses the current place of its topmost
// joint.
std::optional<Eigen::Affine3d> space_of_root(const SkinData& skin, const NodeTree& tree) {
  for (const std::size_t slot : slots_by_depth(skin, tree)) {
    const Eigen::Affine3d seen = tree.world[skin.nodes[slot]] * skin.inverse_bind[slot];
    if (is_regular(seen)) return seen;
  }
  return std::nullopt;
}

std::optional<Eigen::Affine3d> space_by_shared_joint(const BindPose& pose, const SkinData& skin,
                                                     const NodeTree& tree) {
  for (const std::size_t slot : slots_by_depth(skin, tree)) {
    const auto& bind = pose.joint[skin.nodes[slot]];
    if (bind && is_regular(skin.inverse_bind[slot])) return *bind * skin.inverse_bind[slot];
  }
  return std::nullopt;
}

/// The joints of a finding: their number, and the name of one.
struct JointsToReport {
  std::size_t count = 0;
  std::string example;

  void add(const Json& root, std::size_t node) {
    if (count++ == 0) example = name_of(root["nodes"][node], "node", node);
  }
};

void take_joints(const Json& root, const SkinData& skin, std::size_t skin_index, BindPose& pose,
                 Findings& findings) {
  const Eigen::Affine3d& space = *pose.to_bind[skin_index];
  JointsToReport singular, unset, different;
  for (std::size_t slot = 0; slot < skin.nodes.size(); ++slot) {
    const std::size_t node = skin.nodes[slot];
    if (skin.unset[slot]) {
      (is_regular(skin.inverse_bind[slot]) ? unset : singular).add(root, node);
      continue;
    }
    const Eigen::Affine3d bind = space * skin.inverse_bind[slot].inverse();
    constexpr double same = 1e-3;
    if (!pose.joint[node])
      pose.joint[node] = bind;
    else if (!nearly_same(bind, *pose.joint[node], same))
      different.add(root, node);
  }
  const std::string name = name_of(root["skins"][skin_index], "skin", skin_index);
  const auto report = [&](const JointsToReport& joints, Severity severity, const char* code,
                          const std::string& text) {
    if (joints.count > 0)
      findings.push_back(
          {severity, code,
           std::to_string(joints.count) + text + " (" + in_quotes(joints.example) + ")", name});
  };
  report(singular, Severity::warning, "bind-singular",
         " inverse bind matrices of " + in_quotes(name) +
             " cannot be inverted: these joints are taken from the node pose");
  report(
      unset, Severity::note, "bind-unset",
      " joints of " + in_quotes(name) +
          " have the inverse bind matrix of others that stand elsewhere: they are taken from the "
          "node pose");
  report(different, Severity::warning, "bind-differs",
         " joints of " + in_quotes(name) + " have another bind pose than in an earlier skin");
}

void place_skin(const Json& root, const std::vector<SkinData>& skins, std::size_t index,
                const NodeTree& tree, bool first, BindPose& pose, Findings& findings) {
  const SkinData& skin = skins[index];
  std::optional<Eigen::Affine3d> space = space_by_shared_joint(pose, skin, tree);
  if (!space) {
    space = space_of_world(skin, tree);
    if (!space) space = first ? space_of_frame(skin, tree) : space_of_root(skin, tree);
    if (space) space = pose.world_to_bind * *space;
  }
  if (!space) {
    const std::string name = name_of(root["skins"][index], "skin", index);
    findings.push_back({Severity::warning, "bind-space",
                        "the nodes do not say where " + in_quotes(name) +
                            " stands: it is bound in its own mesh space",
                        name});
    space = Eigen::Affine3d::Identity();
  }
  pose.to_bind[index] = space;
  take_joints(root, skins[index], index, pose, findings);
}

bool is_bare(const Json& node) {
  return !find(node, "mesh") && !find(node, "camera") && !extension(node, "KHR_lights_punctual") &&
         !extension(node, "EXT_mesh_gpu_instancing");
}

std::vector<bool> moved_nodes(const Json& root, std::size_t count) {
  std::vector<bool> moved(count, false);
  const Json& animations = list(root, "animations");
  for (std::size_t i = 0; i < animations.size(); ++i)
    for (const Json& channel : list(animations[i], "channels")) {
      const Json* target = find(channel, "target");
      const Json* path = target ? find(*target, "path") : nullptr;
      if (path && *path != "weights")
        if (const auto node = index_of(*target, "node", count, {"animations", i}))
          moved[*node] = true;
    }
  return moved;
}

/// Bare nodes (without mesh, camera or light) and their links to bare parents and children.
struct Forest {
  std::vector<bool> bare, moved;
  std::vector<std::vector<std::size_t>> children;  ///< bare ones
  std::vector<std::size_t> size;                   ///< of the subtree
  std::vector<std::size_t> moved_count;            ///< in the subtree
  std::vector<bool> branches;                      ///< anywhere in the subtree
};

Forest unskinned_roots(const Json& root, const NodeTree& tree) {
  const Json& nodes = list(root, "nodes");
  Forest forest;
  forest.moved = moved_nodes(root, nodes.size());
  for (const Json& node : nodes) forest.bare.push_back(is_bare(node));
  forest.children.resize(nodes.size());
  forest.size.assign(nodes.size(), 1);
  forest.moved_count.assign(forest.moved.begin(), forest.moved.end());
  forest.branches.assign(nodes.size(), false);
  for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
    const std::size_t node = *it, above = tree.parent[node];
    forest.branches[node] = forest.branches[node] || forest.children[node].size() > 1;
    if (above == no_node || !forest.bare[node] || !forest.bare[above]) continue;
    forest.children[above].push_back(node);
    forest.size[above] += forest.size[node];
    forest.moved_count[above] += forest.moved_count[node];
    forest.branches[above] = forest.branches[above] || forest.branches[node];
  }
  return forest;
}

bool holds_other_things(const Json& node, const Forest& forest) {
  const Json* children = find(node, "children");
  return children && std::ranges::any_of(*children, [&](const Json& child) {
           return !forest.bare[child.get<std::size_t>()];
         });
}

// A wrapper has one relevant child and no function of its own. An unbranched chain would look like
// wrappers all the way down, so there a wrapper must also hold meshes or be at the same place as
// its child.
std::size_t below_wrapper(const Json& root, const NodeTree& tree, const Forest& forest,
                          std::size_t top) {
  const std::vector<std::size_t>& children = forest.children[top];
  if (forest.moved[top] || children.empty()) return top;
  const bool scene_like = holds_other_things(root["nodes"][top], forest);
  if (children.size() == 1) {
    const Eigen::Vector3d step =
        tree.world[children[0]].translation() - tree.world[top].translation();
    const bool wraps = forest.branches[top] || scene_like || step.isZero(1e-9);
    return wraps && forest.size[top] > 2 ? children[0] : top;
  }
  std::vector<std::size_t> subtrees;
  for (const std::size_t child : children)
    if (forest.size[child] > 1) subtrees.push_back(child);
  return scene_like && subtrees.size() == 1 ? subtrees[0] : top;
}

std::vector<std::size_t> subtree(const Forest& forest, std::size_t top) {
  std::vector<std::size_t> nodes = {top};
  for (std::size_t k = 0; k < nodes.size(); ++k)
    nodes.insert(nodes.end(), forest.children[nodes[k]].begin(), forest.children[nodes[k]].end());
  return nodes;
}

// Trees of at most half the largest one's size are props and helpers.
std::vector<std::size_t> automatic(const Json& root, const NodeTree& tree, const Forest& forest) {
  std::vector<std::size_t> tops;
  for (const std::size_t node : tree.order) {
    const std::size_t above = tree.parent[node];
    if (!forest.bare[node] || (above != no_node && forest.bare[above])) continue;
    std::size_t top = node;
    for (std::size_t next = below_wrapper(root, tree, forest, top); next != top;
         next = below_wrapper(root, tree, forest, top))
      top = next;
    if (forest.size[top] >= 2) tops.push_back(top);  // else an empty or a light's target
  }
  if (tops.empty()) return {};
  const auto rank = [&](std::size_t n) {
    return std::pair(forest.moved_count[n] > 0, forest.size[n]);
  };
  const auto best = rank(*std::ranges::max_element(tops, {}, rank));
  std::vector<std::size_t> found;
  for (const std::size_t top : tops) {
    if (rank(top).first != best.first || 2 * rank(top).second <= best.second) continue;
    const std::vector<std::size_t> nodes = subtree(forest, top);
    found.insert(found.end(), nodes.begin(), nodes.end());
  }
  return found;
}

bool any_matches(const std::vector<std::string>& globs, const std::string& name) {
  return std::ranges::any_of(globs, [&](const auto& glob) { return matches_name(glob, name); });
}

}  // namespace

std::vector<SkinData> read_skins(const GltfDocument& document, const NodeTree& tree) {
  const Json &json = list(document.json, "skins"), &nodes = list(document.json, "nodes");
  std::vector<SkinData> skins(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const JsonElement element{"skins", i};
    for (const Json& joint : json[i]["joints"]) skins[i].nodes.push_back(joint.get<std::size_t>());
    const Json* matrices = find(json[i], "inverseBindMatrices");
    skins[i].has_matrices = matrices != nullptr;
    if (matrices)
      skins[i].inverse_bind =
          read_matrices(document, matrices->get<std::size_t>(), skins[i].nodes.size(), element);
    else
      skins[i].inverse_bind.assign(skins[i].nodes.size(), Eigen::Affine3d::Identity());
    skins[i].unset = missing_inverse_binds(skins[i], tree);
  }
  for (const Json& node : nodes)
    if (const Json* skin = find(node, "skin"); skin && find(node, "mesh"))
      skins[skin->get<std::size_t>()].used = true;
  return skins;
}

Eigen::Affine3d BindPose::follow(const NodeTree& tree, std::size_t joint_node,
                                 const Eigen::Affine3d& in_world) const {
  if (joint_node == no_node || !joint[joint_node] || !is_regular(tree.world[joint_node]))
    return world_to_bind * in_world;
  return without_rounding(*joint[joint_node] * tree.world[joint_node].inverse()) * in_world;
}

double BindPose::world_unit() const {
  constexpr double other_unit = 5.0;
  const double scale = std::cbrt(std::abs(world_to_bind.linear().determinant()));
  const bool same_unit = scale < other_unit && scale * other_unit > 1.0;
  return same_unit || !is_regular(world_to_bind) ? 1.0 : scale;
}

BindPose solve_bind_pose(const Json& root, const std::vector<SkinData>& skins, const NodeTree& tree,
                         Findings& findings) {
  BindPose pose;
  pose.to_bind.resize(skins.size());
  pose.joint.resize(tree.parent.size());
  if (std::ranges::none_of(skins, &SkinData::used)) return pose;
  bool first = true;
  for (const bool used : {true, false})
    for (std::size_t i = 0; i < skins.size(); ++i) {
      if (skins[i].used != used || !(used || skins[i].has_matrices)) continue;
      place_skin(root, skins, i, tree, first, pose, findings);
      const std::vector<std::size_t> slots = slots_by_depth(skins[i], tree);
      if (first && !slots.empty())
        pose.world_to_bind =
            pose.follow(tree, skins[i].nodes[slots.front()], Eigen::Affine3d::Identity());
      first = false;
    }
  return pose;
}

std::vector<std::size_t> find_skeleton(const Json& root, const NodeTree& tree,
                                       const Selection& selection) {
  const Json& nodes = list(root, "nodes");
  const auto name = [&](std::size_t i) { return name_of(nodes[i], "node", i); };
  std::vector<std::size_t> found;
  if (!selection.roots.empty()) {
    std::vector<bool> marked(nodes.size(), false);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      marked[i] = std::ranges::find(selection.roots, name(i)) != selection.roots.end();
    const std::vector<std::size_t> top = nearest_marked(tree, marked);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (top[i] != no_node && is_bare(nodes[i])) found.push_back(i);
    return found;
  }
  found = automatic(root, tree, unskinned_roots(root, tree));
  std::ranges::sort(found);
  const auto wanted = [&](std::size_t i) { return any_matches(selection.joints, name(i)); };
  if (!selection.joints.empty() && std::ranges::none_of(found, wanted)) {
    found.clear();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (wanted(i)) found.push_back(i);
  }
  return found;
}

}  // namespace gvbind::gltf
