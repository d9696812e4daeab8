#pragma once

// Tested by tests/command/transfer_test.py.

#include <Eigen/Geometry>
#include <optional>
#include <vector>

#include "character/scene.h"

namespace gvbind::transfer {

/// A bind of a garment together with the body that wears it.
struct GarmentBind {
  std::vector<SkinWeights> garment;  ///< by mesh of the garment's scene; empty where not selected
  std::vector<SkinWeights> body;     ///< by mesh of the body's scene; joints of the garment
};

/// Binds the selected meshes of both scenes as one solid to the garment's joints, with the default
/// options. `to_garment`: from the body's bind space. `in_body`: both scenes are the same. None if
/// they cannot be bound.
std::optional<GarmentBind> bind_garment(const Scene& garment,
                                        const std::vector<bool>& garment_meshes, const Scene& body,
                                        const std::vector<bool>& body_meshes,
                                        const Eigen::Affine3d& to_garment, bool in_body);

}  // namespace gvbind::transfer
