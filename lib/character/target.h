#pragma once

// Tested by tests/unit/character/target_test.cpp.

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The engine that will load an output.
enum class Target { none, three, babylon, godot, unity, unreal, mobile, vrm, roblox };

/// Limits of engines when loading files; docs/targets.md lists the sources.
struct TargetLimits {
  const char* name = "";
  int influences = 0;    ///< joints per vertex; 0: no limit
  int joints = 0;        ///< joints with weight per mesh; 0: no limit
  int weight_steps = 0;  ///< weights are stored as multiples of 1 / weight_steps; 0: as floats
};

TargetLimits target_limits(Target target);

/// Rounds weights to multiples of 1 / steps that sum to one, by largest remainders. Drops weights
/// rounded to zero. `steps`: 1 to 65535.
SkinWeights rounded_weights(const SkinWeights& weights, int steps);

/// Rounds the new weights to the target's precision. Findings (warnings): "target-joints" for a
/// mesh with more joints than the target allows, "target-influences" for a mesh with more
/// influences per vertex. `weights`: of the scene's meshes; empty: unchanged.
void fit_to_target(Target target, const Scene& scene, SceneWeights& weights, Findings& findings);

}  // namespace gvbind
