#pragma once

// Tested by tests/unit/motion/cells_file_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "bind/bind_scene.h"
#include "motion/skin_cells.h"

namespace gvbind::motion {

/// Rounds the cells' numbers to single precision, as in a file.
void round_cells(SkinCells& cells);

/// A file of cells: the line "gvbind cells 1", then pack_blocks() of size, joints per point, and
/// for each joint its name, position and numbers as floats.
std::vector<std::uint8_t> encode_cells(const SkinCells& cells);

/// For untrusted bytes: every result can be evaluated. Throws Error(input) with the reason and a
/// remedy.
SkinCells decode_cells(std::span<const std::uint8_t> bytes);

/// Computes the weights of the selected meshes of a scene (a level of detail, a garment) from
/// cells. Joints are matched by name. Throws Error(cannot_bind) if a joint with weight is missing,
/// must not have weight, or has another position, and if nothing is selected.
SceneBinding bind_from_cells(const BindableScene& scene, int max_influences,
                             const SkinCells& cells);

}  // namespace gvbind::motion
