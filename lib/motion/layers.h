#pragma once

// Tested by tests/unit/motion/layers_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "check/skin_surface.h"

namespace gvbind {

/// Two vertices of parts that lie over each other, as a coat over a body.
struct Layer {
  std::uint32_t outer, inner;
  double gap;  ///< at rest, along the inner one's normal, bind space
};

/// From the surface's links between parts that no triangle joins, where both face the same way.
std::vector<Layer> layers_of(const SkinSurface& surface);

/// The share of layers whose outer vertex lies below the inner one: clothes that the body pierces.
/// 0 where there are no layers.
double pierced_share(const SkinSurface& surface, std::span<const Layer> layers,
                     std::span<const Eigen::Vector3d> posed);

/// Moves outer vertices out until each keeps at least half its gap.
void keep_apart(const SkinSurface& surface, std::span<const Layer> layers,
                std::vector<Eigen::Vector3d>& positions);

}  // namespace gvbind
