#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <cstddef>
#include <string>
#include <vector>

namespace gvbind {

/// Animates one property of one node. Interpolation is linear; rotations take the short way.
struct Channel {
  enum class Path { translation, rotation, scale, weights };
  int node = -1;
  Path path = Path::translation;
  bool step = false;           ///< values are constant until the next key
  std::vector<double> times;   ///< seconds, ascending
  std::vector<double> values;  ///< columns() values per key; rotations x, y, z, w
  std::size_t columns() const { return times.empty() ? 0 : values.size() / times.size(); }
};

struct Clip {
  std::string name;
  std::vector<Channel> channels;
};

}  // namespace gvbind
