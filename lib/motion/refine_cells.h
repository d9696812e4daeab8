#pragma once

// Tested by tests/unit/motion/refine_cells_test.cpp.

#include <span>
#include <vector>

#include "motion/cell_loss.h"
#include "motion/refine_weights.h"

namespace gvbind::motion {

struct CellOptions {
  std::size_t samples = 2000;  ///< number of points that represent the skin, at least 1
  int start_steps = 200;       ///< of Adam toward the initial weights, 1 to 10000
  int steps = 80;              ///< of Adam per round toward the targets, 1 to 10000
  CellLossWeights loss;        ///< its `regularization` is RefineOptions's
};

struct RefinedCells {
  RefinedWeights refined;  ///< `fitted`: of the unmixed cells
  SkinCells cells;         ///< of the joints with weight; none if the surface has no weights
};

/// Weights from cells (SkinCells, sections 3.3 to 3.6). Fits cells to the surface's weights, then
/// in rounds to the targets of refine_weights(). The result interpolates between the old weights
/// and those from cells, chosen as in refine_weights(): all, a half, a quarter or nothing of the
/// change.
RefinedCells refine_cells(const check::SkinSurface& surface, std::span<const SceneJoint> joints,
                          const PoseSource& poses, const RefineOptions& options = {},
                          const CellOptions& cell_options = {});

}  // namespace gvbind::motion
