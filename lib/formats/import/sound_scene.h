#pragma once

// Tested by tests/command/convert_import_test.py.

#include <cstdint>

struct aiScene;

namespace gvbind {

/// What had to be left out of a scene of Assimp's so that all of its numbers are finite.
struct UnsoundParts {
  std::uint32_t keys = 0;        ///< of clips; also those that go back in time
  std::uint32_t attributes = 0;  ///< normals or tangents of meshes; coordinates, colors of vertices
  std::uint32_t weights = 0;     ///< of vertices
  std::uint32_t values = 0;      ///< of materials
  std::uint32_t transforms = 0;  ///< of nodes
  std::uint32_t rates = 0;       ///< clips that did not say how long a tick is: 25 in a second
};

/// Throws Error(input) for a vertex without a finite place.
UnsoundParts make_sound(const aiScene& scene);

}  // namespace gvbind
