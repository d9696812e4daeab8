#pragma once

#include "egl/slab_passes.h"
#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind::egl {

class EglContext;

/// The votes of section 5.1 with OpenGL: draws slabs from far to near; each fragment overwrites the
/// bits of the slices before it. Equal to voxelize_columns() except for rounding by the device's
/// rasterizer. Images and face lists beyond the limits, or the device's own limits, are drawn in
/// several passes. `resolution`: power of two, 16 to 2048. The context becomes and stays current.
/// Throws Error(resource) if the device fails.
AxisVotes voxelize_slabs(EglContext& context, const LatticeMesh& mesh, int resolution,
                         unsigned views = all_views, const PassLimits& limits = {});

}  // namespace gvbind::egl
