#include "assets/gltf/skeleton.h"

#include <algorithm>
#include <string_view>

#include "assets/selection.h"

namespace gvbind::gltf {
namespace {

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

/// Bare nodes, linked where parent and child are both bare.
struct Forest {
  std::vector<bool> bare, moved;
  std::vector<std::vector<std::size_t>> children;  ///< bare ones
  std::vector<std::size_t> size;                   ///< of the subtree
  std::vector<std::size_t> moved_count;            ///< in the subtree
  std::vector<bool> branches;                      ///< anywhere in the subtree
};

Forest bare_forest(const Json& root, const NodeTree& tree) {
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

// A wrapper has one child that matters and does nothing by itself. A chain without a branch would
// be taken for wrappers all the way down, so there a wrapper must hold meshes or sit on its child.
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

// Trees of at most half the largest are props and helpers.
std::vector<std::size_t> automatic(const Json& root, const NodeTree& tree, const Forest& forest) {
  std::vector<std::size_t> tops;
  for (const std::size_t node : tree.order) {
    const std::size_t above = tree.parent[node];
    if (!forest.bare[node] || (above != no_node && forest.bare[above])) continue;
    std::size_t top = node;
    for (std::size_t next = below_wrapper(root, tree, forest, top); next != top;
         next = below_wrapper(root, tree, forest, top))
      top = next;
    if (forest.size[top] >= 2) tops.push_back(top);  // else an empty, a light's target
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
  return std::ranges::any_of(globs, [&](const auto& glob) { return matches_glob(glob, name); });
}

}  // namespace

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
  found = automatic(root, tree, bare_forest(root, tree));
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
