#pragma once

// Tested by tests/command/bake_test.py.

#include "formats/document.h"

namespace gvbind {

inline constexpr const char* extreme_clip_name = "extremes";

/// Adds a clip to a glTF in which each joint that owns weight, except roots, rotates alone by
/// +-`degrees` about the three axes of bind space. Throws Error(cannot_bind), naming `path`, if
/// there is no such joint.
void add_extreme_clip(const std::string& path, Document& document, const Scene& scene,
                      double degrees);

}  // namespace gvbind
