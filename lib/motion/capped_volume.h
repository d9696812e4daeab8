#pragma once

// Tested by tests/unit/motion/capped_volume_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// A surface with its holes closed by fans around the mean of each hole's edge, so that its volume
/// does not depend on where it stands.
struct CappedSurface {
  struct Cap {
    std::uint32_t a, b;  ///< vertices; the fan's triangle is a, b, middle of the hole
    std::uint32_t hole;
  };
  std::vector<Triangle> triangles;  ///< of finite vertices
  std::vector<Cap> caps;
  std::vector<std::vector<std::uint32_t>> holes;  ///< vertices of each hole's edge
};

/// Vertices at one place are one. An edge that triangles pass through more often one way than the
/// other is open. Triangles name vertices that are there.
CappedSurface cap_holes(std::span<const Eigen::Vector3d> positions,
                        std::span<const Triangle> triangles);

/// Volume-preserving skinning, equation 1: one sixth of the sum of p_i . (p_j x p_k).
double volume_of(const CappedSurface& surface, std::span<const Eigen::Vector3d> positions);

/// By vertex, one third of the area of its triangles times their mean normal: how the volume grows
/// as the vertex moves. Triangles that are not finite count for nothing.
std::vector<Eigen::Vector3d> volume_slopes(std::span<const Eigen::Vector3d> positions,
                                           std::span<const Triangle> triangles);

}  // namespace gvbind
