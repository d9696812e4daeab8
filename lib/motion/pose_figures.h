#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "gvbind/refine.h"
#include "motion/capped_volume.h"
#include "motion/delta_mush.h"
#include "motion/layers.h"

namespace gvbind::motion {

/// Linear blend skinning (SkinCells, equation 1) of a surface with its weights; vertices without
/// weights are unchanged. `pose`: by joint, bind space -> posed space.
std::vector<Eigen::Vector3d> posed_surface(const check::SkinSurface& surface,
                                           const SkinWeights& weights,
                                           std::span<const Eigen::Affine3d> pose);

/// Links between separate components that mostly follow the same joints, for example a coat and its
/// body but not the two legs.
std::vector<Bridge> bridges_of(const check::SkinSurface& surface);

/// The surface at rest with precomputed data for measuring.
struct RestSurface {
  const check::SkinSurface& surface;
  DeltaMush mush;
  CappedSurface capped;
  std::vector<Layer> layers;
};
RestSurface rest_surface(const check::SkinSurface& surface, double reach);

PoseFigures measure_poses(const RestSurface& rest, const SkinWeights& weights,
                          std::span<const std::vector<Eigen::Affine3d>> poses);

/// How edges stretch at most in poses, as in PoseFigures: 1 for none.
struct EdgeStretch {
  double p99 = 1.0, largest = 1.0;
};
EdgeStretch measure_stretch(const check::SkinSurface& surface, const SkinWeights& weights,
                            std::span<const std::vector<Eigen::Affine3d>> poses);

}  // namespace gvbind::motion
