#pragma once

#include <string>
#include <vector>

#include "assets/bind_scene.h"
#include "assets/scene.h"
#include "gvbind/resolution/feature_size.h"

namespace gvbind {

struct SceneResolution {
  int resolution = 0;
  std::string why;                    ///< features_text() of the solid that asks for it
  std::vector<Character> characters;  ///< of every solid, for bind_scene()
};

/// The finest resolution that a solid of the scene asks for. Selection and options as for
/// bind_scene, whose errors it throws.
SceneResolution resolution_of(const Scene& scene, const BindOptions& options, Volume volume,
                              const ResolutionOptions& limits = {});

}  // namespace gvbind
