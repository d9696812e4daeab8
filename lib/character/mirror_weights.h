#pragma once

#include "character/bindable_scene.h"
#include "character/mirror_pairs.h"
#include "character/scene.h"
#include "gvbind/bind_options.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Tolerance of mirrored positions, as a fraction of the longest side of the meshes' box.
constexpr double near_mirror = 0.005;
/// Tolerance for joints with mirrored names.
constexpr double far_mirror = 0.05;

/// Makes the new weights of paired vertices mirror images of each other: the mean of both rows,
/// limited and pruned by the options. Unpaired vertices, pairs with weight on a joint without a
/// twin that may own weight, and pairs of which a rule gives a vertex to a joint, are left alone.
/// Regions and forbidden joints of the options hold. Findings: "mirrored" (the plane and the amount
/// of change), "mirror-without-twin" (an unpaired joint with weight, or the number of unpaired
/// vertices), "mirror-refused" (nothing is symmetric). `weights`: by mesh of the scene; meshes
/// without rows are ignored.
void mirror_weights(const BindableScene& scene, Mirror mirror, const BindOptions& options,
                    SceneWeights& weights, Findings& findings);

}  // namespace gvbind
