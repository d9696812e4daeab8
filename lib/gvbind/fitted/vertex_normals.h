#pragma once

// Tested by tests/unit/gvbind/fitted_weights_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// By vertex, the mean of the normals around it by their angles, of unit length; zero where they
/// cancel. Neither duplicates of triangles nor the triangulation of a flat face affect it.
/// `welded`: by vertex, the first at its position.
std::vector<Eigen::Vector3d> vertex_normals(const LatticeMesh& mesh,
                                            std::span<const std::uint32_t> welded);

}  // namespace gvbind
