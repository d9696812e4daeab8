#pragma once

#include <vector>

#include "bind/scene_voxels.h"
#include "preview/preview.h"

namespace gvbind::preview {

/// Solids from the front at an angle, and cut open at the center, from the front. Colors by kind of
/// voxel (scene_voxels.h); includes voxels removed by edits and contacts. `width`: pixels, 64 to
/// 8192; otherwise throws Error(usage).
Image render_voxels(const std::vector<SolidVoxels>& solids, const Units& units, int width = 1200);

}  // namespace gvbind::preview
