#pragma once

// Tested by tests/unit/character/target_test.cpp.

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// What is to read an output.
enum class Target { none, three, babylon, godot, unity, unreal, mobile, vrm };

/// What a target reads, as it comes; docs/targets.md has the sources.
struct TargetLimits {
  const char* name = "";
  int influences = 0;    ///< joints per vertex; 0: any number
  int joints = 0;        ///< with weight, per mesh; 0: any number
  int weight_steps = 0;  ///< a weight is stored as a whole number of 1 / steps; 0: as a float
};

TargetLimits target_limits(Target target);

/// Rows whose weights are whole numbers of 1 / steps that sum to one, by largest remainders. What
/// rounds to nothing is gone. `steps`: 1 to 65535.
SkinWeights rounded_weights(const SkinWeights& weights, int steps);

/// Rounds the new weights as the target stores them. Findings (warnings): "target-joints" for a
/// mesh with more joints than the target takes, "target-influences" for one that keeps weights of
/// more joints per vertex than it reads. `weights`: of the scene's meshes; empty: kept.
void fit_to_target(Target target, const Scene& scene, SceneWeights& weights, Findings& findings);

}  // namespace gvbind
