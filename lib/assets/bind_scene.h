#pragma once

#include "assets/scene.h"
#include "gvbind/bind.h"

namespace gvbind {

/// What makes one solid.
enum class Volume {
  all,       ///< the selected meshes together
  per_mesh,  ///< each selected mesh alone, with all joints
};

struct SceneBinding {
  SkinWeights weights;
  BindStatistics statistics;  ///< with Volume::per_mesh summed over the meshes, stage by stage
  Findings findings;
};

/// Binds the selected meshes of a scene to the joints that deform.
/// Throws Error as bind() does, and cannot_bind when nothing is selected.
SceneBinding bind_scene(const Scene& scene, const BindOptions& options, Volume volume = Volume::all,
                        const Progress& progress = {});

}  // namespace gvbind
