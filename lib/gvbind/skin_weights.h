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

  /// Appends the row that a vertex has in other weights.
  void append_row(const SkinWeights& from, std::size_t vertex) {
    const std::uint32_t begin = from.first[vertex], end = from.first[vertex + 1];
    influence.insert(influence.end(), from.influence.begin() + begin, from.influence.begin() + end);
    weight.insert(weight.end(), from.weight.begin() + begin, from.weight.begin() + end);
    first.push_back(static_cast<std::uint32_t>(influence.size()));
  }

  std::size_t vertex_count() const { return first.size() - 1; }
  bool empty() const { return first.size() <= 1; }
};

}  // namespace gvbind
