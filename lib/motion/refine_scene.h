#pragma once

// Tested by tests/command/refine_test.py.

#include <span>

#include "character/scene.h"
#include "motion/refine_cells.h"
#include "motion/refine_weights.h"

namespace gvbind::motion {

/// Refines the new rows `weights` of a scene, for `joints` in place of its own. Meshes without new
/// rows, and vertices that keep theirs, are fixed.
RefinedWeights refine_scene(const Scene& scene, std::span<const SceneJoint> joints,
                            const PoseSource& poses, RefineOptions options, SceneWeights& weights);

/// As refine_scene(), with cells, which are part of the result.
RefinedCells refine_scene_by_cells(const Scene& scene, std::span<const SceneJoint> joints,
                                   const PoseSource& poses, RefineOptions options,
                                   SceneWeights& weights);

/// "distance to Delta Mush 0.37 -> 0.3 % of the size, change of volume 6.3 -> 6.2 %, stretch 1.81
/// -> 1.8, clothes pierced at 11.1 -> 8.7 %"; the last if there are layers.
std::string refined_text(const PoseFigures& before, const PoseFigures& after);

}  // namespace gvbind::motion
