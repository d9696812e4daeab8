#pragma once

// Tested by tests/unit/formats/gltf/scene_test.cpp.

#include <span>
#include <vector>

#include "formats/gltf/accessor.h"
#include "gvbind/skin_weights.h"

namespace gvbind::gltf {

/// The attributes JOINTS_n and WEIGHTS_n: four columns each.
struct WeightSet {
  AccessorRows joints, weights;
};

struct OldWeights {
  SkinWeights rows;
  std::size_t dropped = 0;
  std::vector<std::uint32_t> damaged_vertices;  ///< vertices with dropped entries, ascending
};

/// The number of invalid entries of the first `count` vertices: slot out of range, negative, or not
/// finite. Each set has at least `count` rows.
std::size_t count_unsound(std::span<const WeightSet> sets, std::size_t slots, std::size_t count);

/// The vertices that have invalid entries, each plus `base`, ascending.
std::vector<std::uint32_t> unsound_vertices(std::span<const WeightSet> sets, std::size_t slots,
                                            std::size_t count, std::uint32_t base);

/// Appends the rows of `count` vertices without their invalid entries. Equal joints are summed, and
/// entries sorted by decreasing weight. `joint_of_slot` gives the joint of each slot.
void append_rows(std::span<const WeightSet> sets, std::span<const int> joint_of_slot,
                 std::size_t count, SkinWeights& rows);

}  // namespace gvbind::gltf
