#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace gvbind {

/// Union-find over 0 .. count - 1 with path halving. The root of a set is its lowest member, so the
/// result does not depend on the order of joins.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  /// `parent[i]`: a lower member of i's set, or i.
  explicit DisjointSets(std::vector<std::uint32_t> parent) : parent_(std::move(parent)) {}

  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  /// False if both were already in one set.
  bool join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace gvbind
