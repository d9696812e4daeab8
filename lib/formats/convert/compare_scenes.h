#pragma once

// Tested by tests/unit/formats/convert/compare_test.cpp.

#include "character/node_scene.h"
#include "character/pose_scene.h"

namespace gvbind {

struct CompareOptions {
  double rest_tolerance = 1e-4;      ///< of places of nodes, of the scene's size
  double posed_tolerance = 1e-3;     ///< of places of vertices, of the scene's size
  double color_tolerance = 2e-3;     ///< of base colors
  std::size_t most_vertices = 2000;  ///< of a mesh that are looked at, spread evenly
  std::size_t most_posed = 200'000;  ///< the same over all clips, fewer of each mesh then
};

/// Compares what a file was to hold with what it holds: the names, hierarchy and places of nodes,
/// base colors and pictures of materials, triangles, morph targets, and where vertices stand at
/// rest and at three moments of each clip. The file may have nodes more. Throws Error(output) that
/// names the first thing that differs.
void compare_scenes(const NodeScene& expected, const PlayedScene& read,
                    const CompareOptions& options = {});

}  // namespace gvbind
