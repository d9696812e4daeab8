#pragma once

// Tested by tests/unit/formats/gltf/scene_test.cpp.

#include <span>
#include <vector>

#include "formats/gltf/accessor.h"
#include "gvbind/skin_weights.h"

namespace gvbind::gltf {

/// JOINTS_n with WEIGHTS_n: four columns each.
struct WeightSet {
  AccessorRows joints, weights;
};

struct OldWeights {
  SkinWeights rows;
  std::size_t dropped = 0;
  std::vector<std::uint32_t> damaged_vertices;  ///< with entries that were dropped, ascending
};

/// Entries of the first `count` vertices that mean nothing: of a slot that is not there, negative,
/// not finite. Each set has as many rows or more.
std::size_t count_unsound(std::span<const WeightSet> sets, std::size_t slots, std::size_t count);

/// The vertices that have such entries, each plus `base`, ascending.
std::vector<std::uint32_t> unsound_vertices(std::span<const WeightSet> sets, std::size_t slots,
                                            std::size_t count, std::uint32_t base);

/// Appends the rows of `count` vertices without those entries, equal joints summed, sorted by
/// falling weight. `joint_of_slot` gives the joint for each slot.
void append_rows(std::span<const WeightSet> sets, std::span<const int> joint_of_slot,
                 std::size_t count, SkinWeights& rows);

}  // namespace gvbind::gltf
