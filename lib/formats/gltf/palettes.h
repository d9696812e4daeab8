#pragma once

// Tested by tests/command/max_joints_test.py.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gvbind::gltf {

/// Slots of a skin's joints, ascending.
using SlotSet = std::vector<std::uint32_t>;

struct Palettes {
  std::vector<SlotSet> slots;       ///< by palette
  std::vector<std::size_t> of_set;  ///< by set, the palette with all its slots
};

/// Divides sets among palettes of at most `most` slots each. A palette grows by the set that adds
/// the fewest slots to it, and the first among equals, until none fits. `sets`: slots below
/// `slot_count`, at most `most` in each set.
Palettes divide_into_palettes(std::span<const SlotSet> sets, std::size_t slot_count,
                              std::size_t most);

}  // namespace gvbind::gltf
