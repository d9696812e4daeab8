#pragma once

// Tested by tests/command/max_joints_test.py.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/gltf/gltf.h"

namespace gvbind {

/// A mesh node whose skin had too many joints.
struct SplitMesh {
  /// Vertices that a part has: `first` within the whole mesh's, `first_in_part` within its own.
  struct Range {
    std::size_t first = 0, first_in_part = 0, count = 0;
  };
  struct Part {
    std::int64_t node = -1;
    std::vector<Range> ranges;
  };
  static constexpr std::uint32_t no_part = static_cast<std::uint32_t>(-1);

  std::string name;
  std::size_t old_joints = 0;           ///< of the skin that it had
  std::size_t most_joints = 0;          ///< of the skin of a part
  std::vector<Part> parts;              ///< the first is the node that was there
  std::vector<std::uint32_t> drawn_by;  ///< by vertex, a part that draws it, or no_part
};

/// Gives each mesh whose skin has more than `max_joints` joints a skin of the joints that have
/// weight in it, or divides it by triangles into nodes with such skins. Parts have the
/// vertices, materials and morph targets of the mesh, and indices and joints of their own. Every
/// triangle keeps its weights and matrices bit for bit. Throws Error(cannot_bind) with the mesh
/// where a triangle has more joints, or where it cannot be divided.
std::vector<SplitMesh> split_skins(GltfDocument& document, std::size_t max_joints);

}  // namespace gvbind
