#pragma once

// Tested by tests/unit/egl/slab_voxelizer_test.cpp.

#include <cstddef>
#include <span>
#include <vector>

#include "egl/gl_handle.h"
#include "egl/slab_passes.h"
#include "egl/slab_plan.h"
#include "egl/slab_readback.h"

namespace gvbind::egl {

/// The shaders, compiled once per context.
struct SlabPrograms {
  GlHandle faces, carry;
  GlHandle no_vertices;  ///< vertex array of the carry pass, which has no attributes
  GLint scale, origin, slab, mask;
  GLint carried, carried_bit;

  explicit SlabPrograms(const GladGLContext& gl);
};

/// Buffers and render targets of one axis. All members throw Error(resource) if the device fails.
class SlabRenderer {
 public:
  /// `tiles`: those to be drawn.
  SlabRenderer(const GladGLContext& gl, const SlabPrograms& programs, const SlabPlan& plan,
               std::span<const PixelRect> tiles, std::size_t max_indices);

  /// Call before drawing its views.
  void select_tile(const PixelRect& tile);

  /// Draws the voxels that one view of the tile sees as inside; they are ORed into the grid.
  /// `along`: looks along the axis, from its minus side.
  void draw_view(bool along, SlabReadback& readback, BitGrid& grid);

 private:
  void upload_faces();
  void make_targets(std::span<const PixelRect> tiles);
  void load_slabs(SlabRange slabs);
  void start_group(int group, bool first, bool along);
  void draw_group(int group, bool along);
  void draw_slab(int slab, int group, bool along);

  const GladGLContext& gl_;
  const SlabPrograms& programs_;
  const SlabPlan& plan_;
  std::size_t max_indices_;
  PixelRect tile_;
  std::vector<SlabRange> ranges_;
  SlabRange loaded_;
  std::vector<std::size_t> starts_;  // of the loaded slabs
  GlHandle vertices_, indices_, vertex_array_;
  GlHandle depth_;
  GlHandle colors_[2], framebuffers_[2];  // each group starts from the previous one
};

}  // namespace gvbind::egl
