#pragma once

// Tested by tests/unit/formats/convert/compare_test.cpp.

#include "character/node_scene.h"
#include "character/pose_scene.h"

namespace gvbind {

struct CompareOptions {
  double rest_tolerance = 1e-4;      ///< of places of nodes, relative to the scene's size
  double posed_tolerance = 1e-3;     ///< of places of vertices, relative to the scene's size
  double color_tolerance = 2e-3;     ///< of base colors
  std::size_t most_vertices = 2000;  ///< compared per mesh, evenly spread
  std::size_t most_posed = 200'000;  ///< compared over all clips; limits the number per mesh
};

/// Compares the expected content of a file with the content that was read back: names, hierarchy
/// and places of nodes, base colors and pictures of materials, triangles, morph targets, and places
/// of vertices at rest and at three times of each clip. The file may have additional nodes. Throws
/// Error(output) with the name of the first difference.
void compare_scenes(const NodeScene& expected, const PlayedScene& read,
                    const CompareOptions& options = {});

}  // namespace gvbind
