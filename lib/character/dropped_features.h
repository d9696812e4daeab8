#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gvbind {

/// Features that a conversion drops, by kind.
struct DroppedFeatures {
  struct Kind {
    std::string one, many;  ///< "constraint", "constraints"
    std::size_t count = 0;
  };
  std::vector<Kind> kinds;  ///< in order of occurrence

  void add(std::string_view one, std::string_view many, std::size_t count = 1);
  bool empty() const { return kinds.empty(); }
  /// "2 layered textures, 1 constraint".
  std::string text() const;
};

}  // namespace gvbind
