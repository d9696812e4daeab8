#pragma once

#include <span>

#include "assets/scene.h"
#include "gvbind/bind_skin.h"
#include "gvbind/prepare/character.h"

namespace gvbind {

/// What makes one solid.
enum class Volume {
  automatic,  ///< the selected meshes together, but those of another size in a solid of their own
  all,        ///< the selected meshes together
  per_mesh,   ///< each selected mesh alone, with all joints
};

struct SceneBinding {
  SceneWeights weights;
  BindStatistics statistics;  ///< of several solids summed, stage by stage
  Findings findings;
};

/// Binds the selected meshes of a scene to the joints that deform. Findings beside those of
/// bind_skin(): "volume-alone" (meshes whose size makes a solid of their own).
/// `characters`: to be moved from, of the solids, as resolution_of() has prepared them with the
/// same options; none: they are prepared here. Throws Error as bind_skin() does, and cannot_bind
/// when nothing is selected.
SceneBinding bind_scene(const Scene& scene, const BindOptions& options,
                        Volume volume = Volume::automatic, const Monitor& monitor = {},
                        std::span<Character> characters = {});

}  // namespace gvbind
