#pragma once

// Tested by tests/command/refine_test.py.

#include <span>

#include "character/scene.h"
#include "motion/refine_cells.h"
#include "motion/refine_weights.h"

namespace gvbind {

/// Refines the rows of `weights`, which a scene is about to get. Meshes that get none, and vertices
/// that keep theirs, move as they did and stay as they are.
RefinedWeights refine_scene(const Scene& scene, std::span<const JointRange> ranges,
                            RefineOptions options, SceneWeights& weights);

/// The same by cells, which come with the outcome.
RefinedCells refine_scene_by_cells(const Scene& scene, std::span<const JointRange> ranges,
                                   RefineOptions options, SceneWeights& weights);

/// "distance to Delta Mush 0.37 -> 0.3 % of the size, change of volume 6.3 -> 6.2 %, stretch 1.81
/// -> 1.8, clothes pierced at 11.1 -> 8.7 %", the last where there are any.
std::string refined_text(const PoseFigures& before, const PoseFigures& after);

}  // namespace gvbind
