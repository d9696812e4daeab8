#pragma once

// Tested by tests/unit/motion/cells_file_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "bind/bind_scene.h"
#include "motion/skin_cells.h"

namespace gvbind {

/// The cells as they come out of a file, which holds their numbers in single precision.
void round_cells(SkinCells& cells);

/// A file of cells: the line "gvbind cells 1", then pack_blocks() of size, joints per point, and of
/// each joint the name, the position and the numbers as floats.
std::vector<std::uint8_t> encode_cells(const SkinCells& cells);

/// For bytes from anywhere: what is taken can be weighed. Throws Error(input) that says what is
/// wrong and what to do.
SkinCells decode_cells(std::span<const std::uint8_t> bytes);

/// Weighs the selected meshes of a scene (a level of detail, a garment) from cells. Joints are
/// matched by name. Throws Error(cannot_bind) where a joint with weight is missing, may not own
/// weight or lies elsewhere, and when nothing is selected.
SceneBinding bind_from_cells(const Scene& scene, int max_influences, const SkinCells& cells);

}  // namespace gvbind
