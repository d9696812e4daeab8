#pragma once

// Tested by tests/command/bake_test.py.

#include "formats/document.h"

namespace gvbind {

inline constexpr const char* extreme_clip_name = "extremes";

/// Adds a clip to a glTF in which every joint that owns weight, but roots, turns alone: by
/// `degrees` to and fro about the three axes of bind space. Throws Error(cannot_bind) where no
/// joint can; `path` names the file.
void add_extreme_clip(const std::string& path, Document& document, const Scene& scene,
                      double degrees);

}  // namespace gvbind
