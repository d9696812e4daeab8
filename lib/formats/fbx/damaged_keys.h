#pragma once

// Tested by tests/command/retarget_test.py.

#include <string>
#include <vector>

#include "character/damaged_keys.h"
#include "formats/fbx/document.h"

namespace gvbind {

/// The damage of one AnimationStack.
struct DamagedStack {
  std::string name;
  std::vector<DamagedKeys> nodes;  ///< `clip`: index of the stack
  bool is_lost = false;            ///< no curve of a node has a sound key
};

/// All stacks, in the order of their clips: keys that are not finite or earlier than the one
/// before, and curves without a sound key, by Model. Blend shapes do not count.
std::vector<DamagedStack> damaged_stacks(const FbxDocument& document);

}  // namespace gvbind
