#pragma once

// Tested by tests/unit/rig/front_cues_test.cpp.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "character/scene.h"
#include "gvbind/mesh_view.h"

namespace gvbind::rig {

/// Whether a mesh or a material of this name is a part of a face: eyes, a mouth, a nose, glasses.
bool names_face_part(std::string_view name);

/// For each mesh of the scene, the triangles of parts of a face; meshes that are not selected have
/// none. None at all if they were more than a third of all triangles, as of a mesh "Eyes" that is a
/// whole body.
std::vector<std::vector<Triangle>> face_triangles(const Scene& scene);

/// The middle of the surface of some triangles.
std::optional<Eigen::Vector3d> surface_center(std::span<const Eigen::Vector3d> positions,
                                              std::span<const Triangle> triangles);

}  // namespace gvbind::rig
