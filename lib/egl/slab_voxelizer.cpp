#include "egl/slab_voxelizer.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "egl/egl_state.h"
#include "egl/slab_decode.h"
#include "egl/slab_plan.h"
#include "egl/slab_renderer.h"
#include "gvbind/error.h"

namespace gvbind::egl {
namespace {

void check_resolution(int resolution) {
  if (resolution < 16 || resolution > 2048 || !std::has_single_bit(unsigned(resolution)))
    throw Error(ErrorKind::usage, "resolution " + std::to_string(resolution) +
                                      " is not a power of two from 16 to 2048");
}

int device_limit(const GladGLContext& gl, GLenum name) {
  GLint limits[2] = {};  // a viewport has two dimensions
  gl.GetIntegerv(name, limits);
  if (name != GL_MAX_VIEWPORT_DIMS) limits[1] = limits[0];
  return std::min(limits[0], limits[1]);
}

PassLimits within_device(const GladGLContext& gl, PassLimits limits, int resolution) {
  // A viewport of a part of the image would clip triangles, which rounds their edges differently.
  const int viewport = device_limit(gl, GL_MAX_VIEWPORT_DIMS);
  if (viewport < resolution)
    throw Error(ErrorKind::resource,
                "OpenGL: the device's viewports end at " + std::to_string(viewport) + " pixels");
  limits.side = std::min({limits.side, device_limit(gl, GL_MAX_TEXTURE_SIZE),
                          device_limit(gl, GL_MAX_RENDERBUFFER_SIZE)});
  return limits;
}

void draw_axis(const EglContext::State& state, const SlabPlan& plan, unsigned views,
               const PassLimits& limits, SlabReadback& readback, BitGrid& grid) {
  const std::vector<PixelRect> tiles = tiles_of(plan.image, limits);
  SlabRenderer renderer(state.gl, *state.programs, plan, tiles, limits.indices);
  for (const PixelRect& tile : tiles) {
    renderer.select_tile(tile);
    // The view from the plus side looks against the axis.
    if (views & (view_plus_x << (2 * plan.axis))) renderer.draw_view(false, readback, grid);
    if (views & (view_minus_x << (2 * plan.axis))) renderer.draw_view(true, readback, grid);
  }
}

}  // namespace

AxisVotes voxelize_slabs(EglContext& context, const LatticeMesh& mesh, int resolution,
                         unsigned views, const PassLimits& limits) {
  check_resolution(resolution);
  EglContext::State& state = context.state();
  context.make_current();
  if (!state.programs) state.programs.emplace(state.gl);
  const PassLimits possible = within_device(state.gl, limits, resolution);
  AxisVotes votes;
  SlabReadback readback(state.gl);
  SlabPlan drawn;
  const auto complete = [&] {
    if (drawn.facets.empty()) return;
    readback.finish();
    extend_slices(drawn, votes.axis[drawn.axis]);
  };
  for (int axis = 0; axis < 3; ++axis) {
    BitGrid& grid = votes.axis[axis] = BitGrid(resolution);
    if (!(views & ((view_plus_x | view_minus_x) << (2 * axis)))) continue;
    // The device is still drawing the previous axis.
    SlabPlan plan = plan_slabs(mesh, resolution, axis);
    complete();
    drawn = std::move(plan);
    if (!drawn.facets.empty()) draw_axis(state, drawn, views, possible, readback, grid);
  }
  complete();
  return votes;
}

}  // namespace gvbind::egl
