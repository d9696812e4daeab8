#pragma once

// Tested by tests/unit/motion/refine_cells_test.cpp.

#include <span>
#include <vector>

#include "motion/cell_loss.h"
#include "motion/refine_weights.h"

namespace gvbind {

struct CellOptions {
  std::size_t samples = 2000;  ///< points of the skin that stand for it, 1 or more
  int start_steps = 200;       ///< of Adam towards the start weights, 1 to 10000
  int steps = 80;              ///< of Adam in each round towards the targets, 1 to 10000
  CellLossWeights loss;        ///< its `hold` is RefineOptions::hold
};

struct RefinedCells {
  RefinedWeights refined;  ///< `fitted`: of the cells alone
  SkinCells cells;         ///< of the joints with weight; none where the surface has no weights
};

/// Weights from cells (SkinCells, sections 3.3 to 3.6): cells are fitted to the weights that the
/// surface has, then to the targets that refine_weights() fits to, in rounds. Weights of the
/// surface are taken from them as far as refine_weights() would take its own: whole, in half, a
/// quarter or not at all.
RefinedCells refine_cells(const SkinSurface& surface, std::span<const SceneJoint> joints,
                          std::span<const JointRange> ranges, const RefineOptions& options = {},
                          const CellOptions& cell_options = {});

}  // namespace gvbind
