#pragma once

#include <span>
#include <vector>

#include "assets/gltf/gltf_accessor.h"
#include "gvbind/weights.h"

namespace gvbind::gltf {

/// JOINTS_n with WEIGHTS_n: four columns each.
struct WeightSet {
  AccessorRows joints, weights;
};

/// Collects what a file holds as weights into rows as VertexWeights has them: equal joints summed,
/// sorted by falling weight.
class WeightRows {
 public:
  /// `joint_of_slot` gives the influence for each slot of the skin, and must stay.
  explicit WeightRows(std::span<const int> joint_of_slot) : joint_of_slot_(joint_of_slot) {}

  /// The next `count` vertices; each set has as many rows or more.
  void append(std::span<const WeightSet> sets, std::size_t count);

  /// Entries left out: of a slot that is not there, negative, not finite.
  std::size_t dropped() const { return dropped_; }
  VertexWeights take() { return std::move(rows_); }

 private:
  std::span<const int> joint_of_slot_;
  std::size_t dropped_ = 0;
  VertexWeights rows_;
};

}  // namespace gvbind::gltf
