#pragma once

// Tested by tests/command/retarget_test.py.

#include <cstddef>
#include <string>

namespace gvbind {

/// Keys that the reader leaves out of a clip's motion of one node.
struct DamagedKeys {
  std::size_t clip = 0;  ///< index in the file
  std::string node;      ///< its name
  std::size_t keys = 0;  ///< in channels that are read
  std::size_t all = 0;   ///< of these channels, with the sound ones
  bool whole = false;    ///< a further channel cannot be read at all
};

}  // namespace gvbind
