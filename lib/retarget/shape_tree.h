#pragma once

// Tested by tests/unit/retarget/shape_roles_test.cpp.

#include <algorithm>
#include <array>
#include <vector>

#include "retarget/rest_skeleton.h"

namespace gvbind::retarget {

/// The joints that count, as a tree of their own. All lists but `joints` and `roots` are by node of
/// the skeleton. Lengths are in meters.
struct ShapeTree {
  std::vector<Eigen::Vector3d> at;
  std::vector<int> joints;   ///< each after the one that carries it
  std::vector<int> parents;  ///< the nearest joint above that counts, or -1
  std::vector<std::vector<int>> children;
  std::vector<int> roots;
  std::vector<double> reach;  ///< the longest way along bones to an end below
  std::vector<int> count;     ///< of joints in the branch
  std::vector<double> top;    ///< +y of the highest joint in the branch
  bool knows_weights = false;
  std::vector<double> owned;  ///< sums of skin weights
  double size = 0.0;          ///< largest extent of the joints along an axis
  double height = 0.0;        ///< of the joints
  double ground = 0.0;        ///< +y of the lowest joint

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

/// More joints than that take too long to match.
inline constexpr std::size_t most_shape_joints = 1000;

/// The tree of the joints of the skin. If weights are known (`owned`, by node), these are the
/// joints that own some or carry one that does. Feet that a control rig hangs from its root hang
/// from their shins here. Without joints if there are more than `most_shape_joints`.
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
