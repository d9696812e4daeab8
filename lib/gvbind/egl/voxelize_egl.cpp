#include "gvbind/egl/voxelize_egl.h"

#include <bit>
#include <string>

#include "gvbind/egl/egl_state.h"
#include "gvbind/egl/slab_decode.h"
#include "gvbind/egl/slab_plan.h"
#include "gvbind/egl/slab_renderer.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

void check_resolution(int resolution) {
  if (resolution < 16 || resolution > 1024 || !std::has_single_bit(unsigned(resolution)))
    throw Error(ErrorKind::usage, "resolution " + std::to_string(resolution) +
                                      " is not a power of two from 16 to 1024");
}

}  // namespace

AxisVotes voxelize_egl(EglContext& context, const UnitScene& scene, int resolution,
                       unsigned views) {
  check_resolution(resolution);
  EglContext::State& state = context.state();
  if (!state.programs) state.programs.emplace(state.gl);
  AxisVotes votes;
  for (int axis = 0; axis < 3; ++axis) {
    BitGrid& grid = votes.axis[axis] = BitGrid(resolution);
    // The view from the plus side looks against the axis.
    const bool from_plus = views & (view_plus_x << (2 * axis));
    const bool from_minus = views & (view_minus_x << (2 * axis));
    if (!from_plus && !from_minus) continue;
    const SlabPlan plan = plan_slabs(scene, resolution, axis);
    if (plan.vertices.empty()) continue;
    SlabRenderer renderer(state.gl, *state.programs, plan);
    if (from_plus) renderer.draw_view(false, grid);
    if (from_minus) renderer.draw_view(true, grid);
    extend_slices(plan, grid);
  }
  return votes;
}

}  // namespace gvbind
