#pragma once

#include "assets/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The joints of `skeleton` as a scene without meshes in the units and axes of `target`: lengths
/// scaled by the ratio of Units::meters, up and front turned onto the target's. Where a format does
/// not say its units, the usual unit (1, 0.01, 0.0254, ... m) that brings the skeleton's extent
/// nearest to the meshes' is taken, and a finding says which. Throws Error(cannot_bind) when there
/// are no joints.
Scene retarget_skeleton(const Scene& skeleton, const Scene& target, Findings& findings);

}  // namespace gvbind
