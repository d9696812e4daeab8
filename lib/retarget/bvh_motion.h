#pragma once

// Tested by tests/unit/retarget/bvh_motion_test.cpp.

#include <cstdint>
#include <filesystem>
#include <span>

#include "character/node_scene.h"

namespace gvbind::retarget {

/// Reads a BVH: its joints as nodes, in the file's own unit and axes, with all rotations zero at
/// rest, and its motion as one clip with the name of the file. An "End Site" becomes a node "NAME
/// end". Throws Error(input) that names the file and the line.
NodeScene read_bvh(std::span<const std::uint8_t> bytes, const std::filesystem::path& path);

}  // namespace gvbind::retarget
