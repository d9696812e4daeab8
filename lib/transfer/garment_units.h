#pragma once

// Tested by tests/command/transfer_test.py.

#include <Eigen/Geometry>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind::transfer {

/// The transform that takes a garment of a format without units (OBJ, PLY, STL) to meters and +Y
/// up: the usual unit and up axis that bring it nearest to the body, or none where the file's own
/// numbers do about as well. Identity if the body has no units either. Findings: "mesh-scaled" and
/// "mesh-stood-up".
Eigen::Affine3d garment_to_meters(const Scene& body, const Scene& garment, Findings& findings);

}  // namespace gvbind::transfer
