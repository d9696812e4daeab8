#pragma once

// Tested by tests/command/retarget_test.py.

#include <string>
#include <vector>

#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// Keys that the reader leaves out of a clip's motion of one node.
struct DamagedKeys {
  std::size_t clip = 0;  ///< index of the animation
  std::string node;      ///< its name
  std::size_t keys = 0;  ///< in channels that are read
  std::size_t all = 0;   ///< of these channels, with the sound ones
  bool whole = false;    ///< a further channel cannot be read at all
};

/// Keys that are not finite or not later than the key before, and channels that do not fit their
/// data, by clip and node in the order of the file. Morph weights do not count. Throws Error:
/// resource.
std::vector<DamagedKeys> damaged_keys(const GltfDocument& document);

}  // namespace gvbind::gltf
