#include "retarget/shape_tree.h"

#include <algorithm>

namespace gvbind::retarget {
namespace {

using Eigen::Vector3d;

/// Joints of the skin; where weights are known, those that own some or carry one that does.
std::vector<bool> joints_that_count(const RestSkeleton& skeleton, const ShapeTree& tree) {
  std::vector<bool> counts = skeleton.is_joint;
  for (std::size_t i = 0; i < skeleton.by_skin.size(); ++i)
    counts[i] = counts[i] && skeleton.by_skin[i];
  if (!tree.knows_weights) return counts;
  std::vector<bool> carries(skeleton.size(), false);
  for (std::size_t i = skeleton.size(); i-- > 0;) {
    carries[i] = carries[i] || tree.owned[i] > 0.0;
    if (carries[i] && skeleton.parents[i] >= 0) carries[skeleton.parents[i]] = true;
    counts[i] = counts[i] && carries[i];
  }
  return counts;
}

/// The foot that a control rig hangs from its root: the joint below the end of a leg of two bones
/// at the distance of one, or -1.
int foot_elsewhere(const ShapeTree& tree, int shin) {
  const std::vector<int> above = tree.path_up(shin);
  if (above.size() < 2) return -1;
  const double bone = tree.way(above[1], shin);
  constexpr double steep = 0.5, down = 0.8, least = 0.5, most = 1.6;
  if (bone < 0.05 * tree.size || tree.at[above[1]].y() - tree.at[shin].y() < steep * bone)
    return -1;
  int best = -1;
  for (const int joint : tree.joints) {
    const int parent = tree.parents[joint];
    const bool hangs_above =
        parent < 0 || std::find(above.begin() + 2, above.end(), parent) != above.end();
    if (!hangs_above || std::ranges::find(above, joint) != above.end()) continue;
    const double way = tree.way(joint, shin);
    if (way < least * bone || way > most * bone) continue;
    if (tree.at[shin].y() - tree.at[joint].y() < down * way) continue;
    if (best < 0 || way < tree.way(best, shin)) best = joint;
  }
  return best;
}

void measure(ShapeTree& tree) {
  Vector3d low = Vector3d::Constant(1e300), high = -low;
  for (const int joint : tree.joints) {
    low = low.cwiseMin(tree.at[joint]);
    high = high.cwiseMax(tree.at[joint]);
  }
  tree.size = (high - low).maxCoeff();
  tree.height = high.y() - low.y();
  tree.ground = low.y();
}

/// Lists children and measures the branches below, after the parents are known.
void list_branches(ShapeTree& tree) {
  const std::size_t size = tree.parents.size();
  tree.children.assign(size, {});
  tree.roots.clear();
  for (const int joint : tree.joints)
    (tree.parents[joint] < 0 ? tree.roots : tree.children[tree.parents[joint]]).push_back(joint);
  std::vector<int> order = tree.roots;
  for (std::size_t k = 0; k < order.size(); ++k)
    order.insert(order.end(), tree.children[order[k]].begin(), tree.children[order[k]].end());
  tree.joints = std::move(order);
  tree.reach.assign(size, 0.0);
  tree.count.assign(size, 1);
  tree.top.assign(size, 0.0);
  for (const int joint : tree.joints) tree.top[joint] = tree.at[joint].y();
  for (std::size_t k = tree.joints.size(); k-- > 0;) {
    const int joint = tree.joints[k], parent = tree.parents[joint];
    if (parent < 0) continue;
    tree.reach[parent] = std::max(tree.reach[parent], tree.way(parent, joint) + tree.reach[joint]);
    tree.count[parent] += tree.count[joint];
    tree.top[parent] = std::max(tree.top[parent], tree.top[joint]);
  }
}

bool are_alike(const ShapeTree& tree, int a, int b) {
  constexpr double whole = 0.12, bone = 0.15, slack = 0.01;
  if (std::abs(tree.reach[a] - tree.reach[b]) > whole * std::max(tree.reach[a], tree.reach[b]))
    return false;
  const auto [fewer, more] = std::minmax(tree.count[a], tree.count[b]);
  if (more > 2 * fewer + 2) return false;
  const std::vector<int> of_a = tree.longest(a), of_b = tree.longest(b);
  const std::size_t size = std::min(of_a.size(), of_b.size());
  if (std::max(of_a.size(), of_b.size()) > size + 1) return false;
  const auto same = [&](double x, double y) {
    return std::abs(x - y) <= bone * std::max(x, y) + slack * tree.size;
  };
  for (std::size_t k = 1; k < size; ++k)
    if (!same(tree.way(of_a[k - 1], of_a[k]), tree.way(of_b[k - 1], of_b[k]))) return false;
  if (const int parent = tree.parents[a];
      parent >= 0 && !same(tree.way(parent, a), tree.way(parent, b)))
    return false;
  constexpr double apart = 0.02;
  return std::max(tree.way(a, b), tree.way(of_a.back(), of_b.back())) >= apart * tree.size;
}

}  // namespace

std::vector<int> ShapeTree::path_up(int node) const {
  std::vector<int> path;
  for (; node >= 0; node = parents[node]) path.push_back(node);
  return path;
}

bool ShapeTree::lies_below(int node, int above) const {
  for (; node >= 0; node = parents[node])
    if (node == above) return true;
  return false;
}

int ShapeTree::common_above(int a, int b) const {
  for (; a >= 0; a = parents[a])
    if (lies_below(b, a)) return a;
  return -1;
}

std::vector<int> ShapeTree::longest(int node) const {
  std::vector<int> path = {node};
  while (!children[path.back()].empty())
    path.push_back(*std::ranges::max_element(
        children[path.back()], {}, [&](int k) { return way(path.back(), k) + reach[k]; }));
  return path;
}

double ShapeTree::lowest(int node) const {
  double y = at[node].y();
  for (const int joint : longest(node)) y = std::min(y, at[joint].y());
  return y;
}

ShapeTree shape_tree(const RestSkeleton& skeleton, const std::vector<double>& owned) {
  ShapeTree tree;
  tree.at = skeleton.world.positions;
  tree.owned = owned;
  tree.owned.resize(skeleton.size(), 0.0);
  tree.knows_weights = std::ranges::any_of(owned, [](double weight) { return weight > 0.0; });
  const std::vector<bool> counts = joints_that_count(skeleton, tree);
  tree.parents.assign(skeleton.size(), -1);
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    if (!counts[i]) continue;
    int above = skeleton.parents[i];
    while (above >= 0 && !counts[above]) above = skeleton.parents[above];
    tree.parents[i] = above;
    tree.joints.push_back(static_cast<int>(i));
  }
  if (tree.joints.size() > most_shape_joints) tree.joints.clear();
  if (tree.joints.empty()) return tree;
  measure(tree);
  list_branches(tree);
  for (const int joint : std::vector<int>(tree.joints)) {
    if (!tree.children[joint].empty()) continue;
    const int foot = foot_elsewhere(tree, joint);
    if (foot < 0) continue;
    tree.parents[foot] = joint;
    list_branches(tree);
  }
  return tree;
}

std::vector<Branches> alike_branches(const ShapeTree& tree) {
  constexpr double long_enough = 0.12;  // of the size
  constexpr std::size_t least_joints = 3, most_branches = 64;
  std::vector<Branches> out;
  const auto add = [&](int parent, const std::vector<int>& children) {
    std::vector<int> limbs;
    for (const int child : children)
      if (tree.reach[child] >= long_enough * tree.size &&
          tree.longest(child).size() >= least_joints && limbs.size() < most_branches)
        limbs.push_back(child);
    for (std::size_t i = 0; i < limbs.size(); ++i)
      for (std::size_t k = i + 1; k < limbs.size(); ++k)
        if (are_alike(tree, limbs[i], limbs[k])) out.push_back({parent, {limbs[i], limbs[k]}});
  };
  add(-1, tree.roots);
  for (const int joint : tree.joints) add(joint, tree.children[joint]);
  return out;
}

bool are_nested(const ShapeTree& tree, const Branches& a, const Branches& b) {
  for (const int x : a.joints)
    for (const int y : b.joints)
      if (tree.lies_below(x, y) || tree.lies_below(y, x)) return true;
  return false;
}

}  // namespace gvbind::retarget
