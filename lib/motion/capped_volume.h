#pragma once

// Tested by tests/unit/motion/capped_volume_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind::motion {

/// A surface whose holes are closed by fans around the mean of each hole's boundary, so that its
/// volume does not depend on its position.
struct CappedSurface {
  struct Cap {
    std::uint32_t a, b;  ///< vertices; the fan's triangle is a, b, center of the hole
    std::uint32_t hole;
  };
  std::vector<Triangle> triangles;  ///< of finite vertices
  std::vector<Cap> caps;
  std::vector<std::vector<std::uint32_t>> holes;  ///< boundary vertices of each hole
};

/// Vertices at one position are merged. An edge is open if triangles use one direction more often
/// than the other. Triangle indices must be valid.
CappedSurface cap_holes(std::span<const Eigen::Vector3d> positions,
                        std::span<const Triangle> triangles);

/// Volume-preserving skinning, equation 1: sum of p_i . (p_j x p_k) / 6.
double volume_of(const CappedSurface& surface, std::span<const Eigen::Vector3d> positions);

/// By vertex, the gradient of the volume: a third of the area of its triangles times their mean
/// normal. Ignores triangles that are not finite.
std::vector<Eigen::Vector3d> volume_slopes(std::span<const Eigen::Vector3d> positions,
                                           std::span<const Triangle> triangles);

}  // namespace gvbind::motion
