#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <cstdint>
#include <vector>

#include "rig/body_volume.h"

namespace gvbind::rig {

/// Shortest paths over the cells of a body.
struct Geodesic {
  std::vector<double> costs;            ///< by cell
  std::vector<std::uint32_t> previous;  ///< toward the start; the start refers to itself
};

/// Cost of a path.
enum class PathCost {
  length,  ///< voxels
  depth,   ///< length / squared depth, so that paths keep to the middle
};

Geodesic geodesic_from(const BodyVolume& body, std::uint32_t start, PathCost cost);

/// The cells from `end` to the start.
std::vector<std::uint32_t> path_to_start(const Geodesic& geodesic, std::uint32_t end);

}  // namespace gvbind::rig
