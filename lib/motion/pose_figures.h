#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "motion/capped_volume.h"
#include "motion/delta_mush.h"
#include "motion/layers.h"

namespace gvbind {

/// How a skin moves, over some poses.
struct PoseFigures {
  double mush = 0.0;     ///< root of the mean square distance to Delta Mush, by area, of the size
  double volume = 0.0;   ///< mean of |posed - rest| volume over the rest volume, holes
                         ///< capped
  double stretch = 1.0;  ///< 99th percentile of the largest ratio of an edge's length to rest
  double largest = 1.0;  ///< the largest ratio
  double pierced = 0.0;  ///< share of layers whose outer vertex lies below the inner one
};

/// Linear blend skinning (SkinCells, equation 1) of a surface with its weights; vertices without
/// stay. `pose`: by joint, bind space -> posed space.
std::vector<Eigen::Vector3d> posed_surface(const SkinSurface& surface, const SkinWeights& weights,
                                           std::span<const Eigen::Affine3d> pose);

/// Links of a surface between parts that no triangle joins and that mostly follow the same joints:
/// a coat and its body, not one leg and the other.
std::vector<Bridge> bridges_of(const SkinSurface& surface);

/// What is measured on, at rest.
struct RestSurface {
  const SkinSurface& surface;
  DeltaMush mush;
  CappedSurface capped;
  std::vector<Layer> layers;
};
RestSurface rest_surface(const SkinSurface& surface, double reach);

PoseFigures measure_poses(const RestSurface& rest, const SkinWeights& weights,
                          std::span<const std::vector<Eigen::Affine3d>> poses);

}  // namespace gvbind
