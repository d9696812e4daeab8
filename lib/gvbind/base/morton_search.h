#pragma once

#include <cstddef>
#include <cstdint>

#include "gvbind/base/morton.h"

namespace gvbind {

/// A node of the implicit octree over sorted Morton codes, a range of codes.
struct MortonNode {
  MortonCode base;  ///< code of the node's first cell
  int level;        ///< side is 2^level cells
  std::size_t first, last;
};

/// Inserts a child into [children, children + count) sorted by distance, stable. The array must
/// have room.
template <class Child>
void insert_by_distance(Child* children, int& count, const Child& child) {
  int place = count++;
  for (; place > 0 && children[place - 1].distance > child.distance; --place)
    children[place] = children[place - 1];
  children[place] = child;
}

/// Branch and bound: visits the items of a node, near ones first, and skips nodes whose lower(low
/// corner, side in cells) exceeds `bound`. code_at(item) must be ascending. visit(item) may lower
/// `bound`.
template <class CodeAt, class Lower, class Visit>
void visit_nearest(const CodeAt& code_at, const MortonNode& node, const double& bound,
                   const Lower& lower, const Visit& visit) {
  constexpr std::size_t few = 8;
  if (node.last - node.first <= few || node.level == 0) {
    for (std::size_t i = node.first; i < node.last; ++i) visit(i);
    return;
  }
  struct Child {
    double distance;
    MortonNode node;
  };
  Child children[8];
  int count = 0;
  std::size_t first = node.first;
  for (std::uint64_t i = 0; i < 8 && first < node.last; ++i) {
    const int level = node.level - 1;
    // At most lattice_bits + 1 levels: NOLINTNEXTLINE(clang-analyzer-core.*)
    const MortonCode base = node.base + (i << (3 * level));
    const MortonCode end = base + (MortonCode{1} << (3 * level));
    // Hand-written, because clang 14 cannot compile libstdc++'s iota view.
    std::size_t last = first;
    for (std::size_t count_left = node.last - first; count_left > 0;) {
      const std::size_t half = count_left / 2;
      const bool before = code_at(last + half) < end;
      if (before) last += half + 1;
      count_left = before ? count_left - half - 1 : half;
    }
    if (last > first) {
      const double distance = lower(morton_cell(base), 1 << level);
      if (distance <= bound)
        insert_by_distance(children, count, Child{distance, {base, level, first, last}});
    }
    first = last;
  }
  for (int i = 0; i < count && children[i].distance <= bound; ++i)
    visit_nearest(code_at, children[i].node, bound, lower, visit);
}

}  // namespace gvbind
