#pragma once

// Tested by tests/unit/motion/skin_cells_test.cpp.

#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "motion/cell_loss.h"

namespace gvbind::motion {

/// Initial cells and the samples to fit them to.
struct CellStart {
  SkinCells cells;                      ///< one per joint with weight, in the order of the joints
  std::vector<std::uint32_t> joint_of;  ///< by cell, its joint in the scene
  std::vector<CellSample> samples;
  std::vector<double> reach;  ///< by cell, as in CellProblem
};

/// Draws samples of a surface, more where weights blend and on the skin of small joints. For every
/// joint with weight, creates a cell whose sites are spread over the samples that follow it
/// (instead of section 3.4, which uses no weights). `left_out`: by vertex, whether it is excluded;
/// empty: none.
CellStart cells_of_skin(const check::SkinSurface& surface, std::span<const SceneJoint> joints,
                        const std::vector<bool>& left_out, std::size_t max_samples,
                        int max_influences);

struct CellSteps {
  int count = 100;
  /// Of Adam; for centers, times the reach of the joint's skin.
  double rate = 0.03, last_rate = 0.003;
  double margin = 0.0;  ///< initial multiple of c, decreasing to zero halfway
};

/// Minimizes the loss by Adam (section 3.6). Returns the loss before each step.
std::vector<double> descend(SkinCells& cells, const CellProblem& problem, const CellSteps& steps);

}  // namespace gvbind::motion
