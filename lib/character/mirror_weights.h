#pragma once

#include "character/mirror_pairs.h"
#include "character/scene.h"
#include "gvbind/bind_options.h"
#include "gvbind/finding.h"

namespace gvbind {

/// How far a twin may be from the mirrored place, in longest sides of the box around the meshes.
constexpr double near_twin = 0.005;
/// The same of a joint whose name says that it is the twin.
constexpr double far_twin = 0.05;

/// Makes the new weights of twin vertices mirror images of each other: the mean of both, no more
/// than the falloff's joints and no less than its prune. Vertices without a twin, and pairs where a
/// joint without a twin owns weight, stay as they are. Findings: "mirrored" (the plane, and how
/// much changed), "mirror-without-twin" (a joint with weight, or how many vertices),
/// "mirror-refused" (nothing is symmetric). `weights`: by mesh of the scene; those without rows
/// take no part.
void mirror_weights(const Scene& scene, Mirror mirror, const Falloff& falloff,
                    SceneWeights& weights, Findings& findings);

}  // namespace gvbind
