#pragma once

// Tested by tests/unit/motion/skin_cells_test.cpp.

#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "motion/cell_loss.h"

namespace gvbind {

/// Where cells come from.
struct CellStart {
  SkinCells cells;                      ///< one a joint that has weight, in the joints' order
  std::vector<std::uint32_t> joint_of;  ///< by cell, of the scene
  std::vector<CellSample> samples;
  std::vector<double> reach;  ///< by cell, as of CellProblem
};

/// Samples of a surface, more of them where weights change and on small joints' skin, and for every
/// joint with weight a cell whose sites lie among what follows it (in place of section 3.4, which
/// knows no weights). `left_out`: by vertex, whether it is no sample; empty: all are.
CellStart cells_of_skin(const SkinSurface& surface, std::span<const SceneJoint> joints,
                        const std::vector<bool>& left_out, std::size_t max_samples,
                        int max_influences);

struct CellSteps {
  int count = 100;
  double rate = 0.03, last_rate = 0.003;  ///< of Adam; centers: times the reach of the joint's skin
  double slack = 0.0;                     ///< c's multiple at first, which falls to zero halfway
};

/// Adam on the loss (section 3.6). Returns the losses that the steps began with.
std::vector<double> descend(SkinCells& cells, const CellProblem& problem, const CellSteps& steps);

}  // namespace gvbind
