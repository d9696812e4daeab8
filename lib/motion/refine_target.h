#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "motion/pose_figures.h"
#include "motion/random_poses.h"

namespace gvbind::motion {

/// Data for computing the desired shape of posed skin.
struct RefineTarget {
  const RestSurface& rest;
  /// By vertex, 0 if one joint has all weight, up to 1: where volume is restored.
  std::vector<double> blend;
  double volume = 0.0;  ///< of the rest shape
};

/// `blend` from the surface's own weights.
RefineTarget refine_target(const RestSurface& rest);

/// Delta Mush of a pose, with its loss of volume restored `gain` times, and clothes kept off the
/// body.
std::vector<Eigen::Vector3d> target_of(const RefineTarget& target, double gain,
                                       const std::vector<Eigen::Vector3d>& posed);

/// By vertex, whether it is on a component bound to a single joint.
std::vector<bool> rigid_vertices(const check::SkinSurface& surface);

/// `count` poses for a fit: the clips' poses with an even index, spread evenly. Joints that no
/// clip turns are turned at random. Where there are fewer, random poses follow.
std::vector<std::vector<Eigen::Affine3d>> draw_poses(std::span<const SceneJoint> joints,
                                                     const PoseSource& source, int count,
                                                     const PoseOptions& options);

/// As above; if the character is symmetric, every second pose is the mirror image of the one
/// before, so that both sides are treated alike.
std::vector<std::vector<Eigen::Affine3d>> draw_mirrored_poses(const check::SkinSurface& surface,
                                                              std::span<const SceneJoint> joints,
                                                              const PoseSource& source, int count,
                                                              const PoseOptions& options);

/// Poses that draw_poses() does not give, for evaluating a fit: clips' poses with an odd index, and
/// random ones of another seed.
std::vector<std::vector<Eigen::Affine3d>> unseen_poses(std::span<const SceneJoint> joints,
                                                       const PoseSource& source, PoseOptions drawn);

/// At least one percent closer to Delta Mush, with volume, stretch and pierced clothes at most one
/// percent worse.
bool is_better(const PoseFigures& before, const PoseFigures& after);

}  // namespace gvbind::motion
