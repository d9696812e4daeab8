#pragma once

// Tested by tests/unit/motion/layers_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "check/skin_surface.h"

namespace gvbind::motion {

/// Two vertices of overlapping components, for example a coat and the body.
struct Layer {
  std::uint32_t outer, inner;
  double gap;  ///< at rest, along the normal of the inner vertex, bind space
};

/// From the surface's links between separate components, where both have similar normals.
std::vector<Layer> layers_of(const check::SkinSurface& surface);

/// Fraction of layers whose outer vertex is below the inner one (the body pierces clothes). 0
/// without layers.
double pierced_share(const check::SkinSurface& surface, std::span<const Layer> layers,
                     std::span<const Eigen::Vector3d> posed);

/// Moves outer vertices outward until each gap is at least half of that at rest.
void keep_apart(const check::SkinSurface& surface, std::span<const Layer> layers,
                std::vector<Eigen::Vector3d>& positions);

}  // namespace gvbind::motion
