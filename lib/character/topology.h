#pragma once

// Tested by tests/command/cli_test.py.

#include <Eigen/Core>
#include <cstddef>
#include <span>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Topology of a surface after welding vertices at equal positions.
struct Topology {
  std::size_t parts = 0;               ///< connected components of triangles
  std::size_t open_edges = 0;          ///< edges of one triangle
  std::size_t non_manifold_edges = 0;  ///< edges of more than two
};

Topology topology_of(std::span<const Eigen::Vector3d> positions,
                     std::span<const Triangle> triangles);

}  // namespace gvbind
