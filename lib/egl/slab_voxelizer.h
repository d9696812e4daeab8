#pragma once

#include "egl/slab_passes.h"
#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

class EglContext;

/// The votes of section 5.1 through OpenGL: slabs from far to near, each fragment overwriting the
/// bits of the slices before it. Same result as voxelize_columns but for what the device's
/// rasterizer rounds differently. Images and lists of faces that are larger than the limits or the
/// device's own are drawn in several passes. `resolution`: power of two, 16 to 2048. The context
/// becomes current and stays so. Throws Error(resource) where the device fails.
AxisVotes voxelize_slabs(EglContext& context, const LatticeMesh& mesh, int resolution,
                         unsigned views = all_views, const PassLimits& limits = {});

}  // namespace gvbind
