#pragma once

// Tested by tests/command/convert_import_test.py.

#include <cstdint>

struct aiScene;

namespace gvbind {

/// Counts of the values that were dropped or replaced to make all numbers of an aiScene finite.
struct UnsoundParts {
  std::uint32_t keys = 0;        ///< of clips; also keys that go back in time
  std::uint32_t attributes = 0;  ///< normals or tangents of meshes; coordinates, colors of vertices
  std::uint32_t weights = 0;     ///< of vertices
  std::uint32_t values = 0;      ///< of materials
  std::uint32_t transforms = 0;  ///< of nodes
  std::uint32_t rates = 0;       ///< clips without a tick rate, which get 25 per second
};

/// Throws Error(input) for a vertex with a position that is not finite.
UnsoundParts make_sound(const aiScene& scene);

}  // namespace gvbind
