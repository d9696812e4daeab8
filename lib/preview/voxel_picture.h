#pragma once

#include <vector>

#include "bind/scene_voxels.h"
#include "preview/preview.h"

namespace gvbind {

/// Solids from the front at an angle, and cut open along their middle, seen from the front. Colors
/// by kind of voxel (scene_voxels.h); voxels that edits and contacts took away are drawn too.
/// `width`: pixels, 64 to 8192. Throws Error(usage) for another one.
Image render_voxels(const std::vector<SolidVoxels>& solids, const Units& units, int width = 1200);

}  // namespace gvbind
