#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "motion/pose_figures.h"
#include "motion/random_poses.h"

namespace gvbind {

/// What posed skin should be is made from this.
struct RefineTarget {
  const RestSurface& rest;
  std::vector<double> blend;  ///< by vertex, 0 where one joint has all, up to 1: where volume is
                              ///< restored
  double volume = 0.0;        ///< of the rest shape
};

/// `blend` by the surface's own weights.
RefineTarget refine_target(const RestSurface& rest);

/// Delta Mush of a pose, with what it lost of volume restored `gain` times, and clothes kept off
/// the body.
std::vector<Eigen::Vector3d> target_of(const RefineTarget& target, double gain,
                                       const std::vector<Eigen::Vector3d>& posed);

/// By vertex, whether it is of a part that one joint alone moves.
std::vector<bool> rigid_vertices(const SkinSurface& surface);

std::vector<std::vector<Eigen::Affine3d>> draw_poses(std::span<const SceneJoint> joints,
                                                     std::span<const JointRange> ranges, int count,
                                                     const PoseOptions& options);

/// The same, but where the character has a left and a right, every other pose is the mirror image
/// of the one before, so that both sides learn the same.
std::vector<std::vector<Eigen::Affine3d>> draw_mirrored_poses(const SkinSurface& surface,
                                                              std::span<const SceneJoint> joints,
                                                              std::span<const JointRange> ranges,
                                                              int count,
                                                              const PoseOptions& options);

/// Poses of another seed than `drawn`, on which a fit is judged.
std::vector<std::vector<Eigen::Affine3d>> unseen_poses(std::span<const SceneJoint> joints,
                                                       std::span<const JointRange> ranges,
                                                       PoseOptions drawn);

/// Closer to Delta Mush by one percent at least; volume, stretch and pierced clothes are not worse
/// by more than one percent.
bool is_better(const PoseFigures& before, const PoseFigures& after);

}  // namespace gvbind
