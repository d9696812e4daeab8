#pragma once

// Tested by tests/command/transfer_test.py.

#include <Eigen/Geometry>

#include "formats/convert/convert.h"

namespace gvbind {

/// Moves all nodes of a conversion by a transform of their common space, and writes its document
/// anew. `path` as of the conversion.
void place_imported(const Eigen::Affine3d& moved, const std::filesystem::path& path,
                    DroppedFeatures& dropped, Conversion& made);

}  // namespace gvbind
