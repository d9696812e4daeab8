#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/base/morton_search.h"

namespace gvbind {

/// A bounding volume hierarchy over lattice boxes, in Morton order of their centers. Ignores empty
/// boxes.
class Bvh {
 public:
  using Box = Eigen::AlignedBox3d;

  explicit Bvh(std::span<const Box> boxes);

  /// Calls visit(box index) for boxes with gap(box) <= `bound`, nearest children first. `gap` must
  /// not grow with the box: gap(outer) <= gap(inner). `visit` may lower `bound`.
  template <class Gap, class Visit>
  void visit_near(const Gap& gap, const double& bound, const Visit& visit) const {
    if (!items_.empty()) visit_below(levels_.size() - 1, 0, gap, bound, visit);
  }

 private:
  static constexpr std::size_t width = 8;

  template <class Gap, class Visit>
  void visit_below(std::size_t level, std::size_t node, const Gap& gap, const double& bound,
                   const Visit& visit) const {
    struct Child {
      double distance;
      std::size_t at;
    };
    Child children[width];
    int count = 0;
    const std::vector<Box>& boxes = levels_[level];
    for (std::size_t i = node * width; i < std::min(boxes.size(), (node + 1) * width); ++i) {
      const double g = gap(boxes[i]);
      if (g <= bound) insert_by_distance(children, count, Child{g, i});
    }
    for (int i = 0; i < count && children[i].distance <= bound; ++i)
      if (level == 0)
        visit(items_[children[i].at]);
      else
        visit_below(level - 1, children[i].at, gap, bound, visit);
  }

  std::vector<std::uint32_t> items_;      ///< box indices in Morton order
  std::vector<std::vector<Box>> levels_;  ///< boxes of the items, then bounds of `width` boxes each
};

}  // namespace gvbind
