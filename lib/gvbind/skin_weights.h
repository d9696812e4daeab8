#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gvbind {

/// Weights of n vertices as compressed rows: vertex v has the entries first[v] .. first[v + 1].
/// A row is sorted by falling weight, ties by influence; its weights are positive and sum to one.
struct SkinWeights {
  std::vector<std::uint32_t> first = {0};  ///< n + 1 values
  std::vector<std::uint32_t> influence;
  std::vector<float> weight;

  std::size_t vertex_count() const { return first.size() - 1; }
  bool empty() const { return first.size() <= 1; }
};

}  // namespace gvbind
