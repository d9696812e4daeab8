#pragma once

// Tested by tests/unit/retarget/shape_roles_test.cpp.

#include <algorithm>
#include <array>
#include <vector>

#include "retarget/rest_skeleton.h"

namespace gvbind::retarget {

/// The joints that count, as a tree of their own. Lists are by node of the skeleton, lengths in
/// meters.
struct ShapeTree {
  std::vector<Eigen::Vector3d> at;
  std::vector<int> joints;   ///< each after the one that carries it
  std::vector<int> parents;  ///< the nearest joint above that counts, or -1
  std::vector<std::vector<int>> children;
  std::vector<int> roots;
  std::vector<double> reach;  ///< the longest way along bones to an end below
  std::vector<int> count;     ///< of joints in the branch
  std::vector<double> top;    ///< of the branch, +y
  bool knows_weights = false;
  std::vector<double> owned;  ///< sums of skin weights
  double size = 0.0, height = 0.0, ground = 0.0;

  double way(int a, int b) const { return (at[a] - at[b]).norm(); }
  /// From the node up to its root, the node first.
  std::vector<int> path_up(int node) const;
  bool lies_below(int node, int above) const;
  int common_above(int a, int b) const;
  /// From the node along the longest way to an end.
  std::vector<int> longest(int node) const;
  /// Height of the lowest joint on that way.
  double lowest(int node) const;
};

/// Of the joints of the skin and, where weights are known (`owned`, by node), those that own some
/// or carry one that does. Feet that a control rig hangs from its root hang from their shins.
ShapeTree shape_tree(const RestSkeleton& skeleton, const std::vector<double>& owned);

/// Two branches of one joint with bones of equal lengths, as the limbs of both sides are.
struct Branches {
  int parent = -1;
  std::array<int, 2> joints = {-1, -1};
  double shorter(const ShapeTree& tree) const {
    return std::min(tree.reach[joints[0]], tree.reach[joints[1]]);
  }
};

/// All pairs of like branches with three joints or more on their longest way.
std::vector<Branches> alike_branches(const ShapeTree& tree);

bool are_nested(const ShapeTree& tree, const Branches& a, const Branches& b);

}  // namespace gvbind::retarget
