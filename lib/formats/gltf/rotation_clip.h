#pragma once

// Tested by tests/command/bake_test.py.

#include <Eigen/Geometry>
#include <span>
#include <string>
#include <vector>

#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// The rotation of a node relative to its rest pose over a clip.
struct TurnTrack {
  std::size_t node = 0;
  std::vector<double> times;              ///< seconds, ascending
  std::vector<Eigen::Quaterniond> turns;  ///< by key, in the node's own frame
};

/// Appends an animation; all else stays, except that a node's matrix becomes translation, rotation
/// and scale. Returns the nodes that are left out, since a matrix that shears cannot become that.
std::vector<std::size_t> add_turn_clip(GltfDocument& document, const std::string& name,
                                       std::span<const TurnTrack> tracks);

}  // namespace gvbind::gltf
