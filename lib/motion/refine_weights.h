#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "motion/delta_mush.h"
#include "motion/pose_figures.h"
#include "motion/random_poses.h"

namespace gvbind {

struct RefineOptions {
  int poses = 24;          ///< random ones that the weights are fitted to, 1 to 1000
  int rounds = 4;          ///< target and fit in turn, 1 to 100
  int max_influences = 4;  ///< joints per vertex; 0, or more than 8: 8
  double reach = 0.01;     ///< Delta Mush's, of the size
  double hold = 0.05;      ///< how strongly weights stay where they began, 0 to 1000
  /// How far the target's loss of volume is made up for, 0 to 100 each: tried in turn until a fit
  /// can be taken whole.
  std::vector<double> volume_gains = {2.0, 6.0, 18.0};
  std::vector<bool> held = {};  ///< by vertex, whether its weights stay; empty: none do
  bool own_joints = false;      ///< a vertex takes no joint that it does not follow already
  PoseOptions drawn;            ///< of the poses
};

/// Weights of a surface, and what they do in poses that were not drawn for the fit.
struct RefinedWeights {
  SkinWeights weights;                ///< one row a vertex of the surface
  PoseFigures before, after, fitted;  ///< `after` equals `before` where the start is kept
  double taken = 0.0;                 ///< how much of the way from the start to the fit, 0 to 1
  std::size_t moved = 0;              ///< vertices whose weights change
};

/// Weights that are closer to what posed skin should be (SkinCells, sections 3.5 and 3.6): in
/// random poses the target of a vertex is Delta Mush of the skin, kept as far from its bone as at
/// rest (the location loss), and the shares of at most 8 joints that its surroundings know are
/// fitted to the targets of all poses by least squares, exactly, the largest max_influences of them
/// kept. Parts that follow one joint stay as they are. The outcome is judged on other poses: the
/// fit is taken as far as it lowers the distance to Delta Mush and does not lose more volume or
/// stretch more than the start.
RefinedWeights refine_weights(const SkinSurface& surface, std::span<const SceneJoint> joints,
                              std::span<const JointRange> ranges,
                              const RefineOptions& options = {});

}  // namespace gvbind
