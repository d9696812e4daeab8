#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "motion/delta_mush.h"
#include "motion/pose_figures.h"
#include "motion/random_poses.h"

namespace gvbind::motion {

struct RefineOptions {
  int poses = 24;          ///< number of random poses to fit, 1 to 1000
  int rounds = 4;          ///< number of target/fit iterations, 1 to 100
  int max_influences = 4;  ///< joints per vertex; 0, or more than 8: 8
  double reach = 0.01;     ///< of Delta Mush, relative to the size
  /// Strength of the regularization toward the initial weights, 0 to 1000.
  double regularization = 0.05;
  /// Factors for restoring the target's loss of volume, 0 to 100 each; tried in order until the
  /// complete fit is accepted.
  std::vector<double> volume_gains = {2.0, 6.0, 18.0};
  std::vector<bool> held = {};  ///< by vertex, whether its weights are fixed; empty: none
  bool own_joints = false;      ///< restricts each vertex to the joints it already follows
  PoseOptions drawn;            ///< options of the poses
};

/// Weights of a surface, and their quality in poses that were not used for the fit.
struct RefinedWeights {
  SkinWeights weights;                ///< one row per vertex of the surface
  PoseFigures before, after, fitted;  ///< `after` equals `before` if nothing was taken
  double taken = 0.0;                 ///< fraction of the change that was taken, 0 to 1
  std::size_t moved = 0;              ///< number of vertices whose weights change
};

/// Improves weights toward a desired posed shape (SkinCells, sections 3.5 and 3.6). In random
/// poses, the target of a vertex is Delta Mush of the skin, kept at its rest distance from the bone
/// (the location loss). For each vertex, the weights of at most 8 joints of its neighborhood are
/// fitted to the targets of all poses by exact least squares; the largest max_influences are kept.
/// Components bound to one joint are fixed. The result is evaluated on other poses: the change is
/// taken as far as it reduces the distance to Delta Mush without losing more volume or stretching
/// more than before.
RefinedWeights refine_weights(const check::SkinSurface& surface, std::span<const SceneJoint> joints,
                              const PoseSource& poses, const RefineOptions& options = {});

}  // namespace gvbind::motion
