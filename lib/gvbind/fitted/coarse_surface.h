#pragma once

// Tested by tests/unit/gvbind/coarse_surface_test.cpp.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/fitted/heat_surface.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// The surface of a mesh for heat_surface(), with at most about `max_places` places: as it is, or
/// places of one part that edges join inside one cell of a grid become one, at their mean. The grid
/// has 256 cells per side, or half of that as often as needed, down to 8. So opposite sides of a
/// thin sheet stay apart. The result does not depend on the order of vertices.
HeatSurface coarse_surface(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                           std::span<const std::uint32_t> part, std::size_t max_places);

}  // namespace gvbind
