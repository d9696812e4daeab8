#pragma once

// Tested by tests/unit/bind/weights_from_cache_test.cpp.

#include "bind/bind_scene.h"
#include "bind/distance_cache.h"

namespace gvbind {

/// Weighs the selected meshes of a scene from the distances of another one (a level of detail, a
/// costume, a damaged variant) without voxelizing: at equal places they get equal weights. Joints
/// are matched by name. Vertices outside the solid get the weights of the nearest place inside;
/// "outside-field" says how many there are and how far out. Where the field has several solids,
/// each mesh takes the one that it is least outside of. `options`: as for bind_kept(). Throws as
/// that does, and Error(cannot_bind) where a joint with weight is missing, may not own weight or
/// lies elsewhere, and when nothing is selected.
SceneBinding bind_from_field(const BindableScene& scene, const BindOptions& options,
                             const DistanceCache& field);

}  // namespace gvbind
