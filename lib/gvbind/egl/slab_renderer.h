#pragma once

#include <vector>

#include "gvbind/egl/gl_handle.h"
#include "gvbind/egl/slab_decode.h"
#include "gvbind/egl/slab_plan.h"

namespace gvbind {

/// The shaders, made once a context.
struct SlabPrograms {
  GlHandle faces, carry;
  GlHandle no_vertices;  ///< vertex array of the carry pass, which has no attributes
  GLint scale, slab, mask;
  GLint carried, carried_bit;

  explicit SlabPrograms(const GladGLContext& gl);
};

/// Buffers and targets of one axis. All members throw Error(resource) where the device fails.
class SlabRenderer {
 public:
  SlabRenderer(const GladGLContext& gl, const SlabPrograms& programs, const SlabPlan& plan);

  /// Draws what one view calls inside and ors it into the grid. `along`: the view looks along the
  /// axis, from its minus side.
  void draw_view(bool along, BitGrid& grid);

 private:
  void upload_faces();
  void make_targets();
  void start_group(int group, bool first, bool along);
  void draw_group(int group, bool along);
  void draw_slab(int slab, int group, bool along);
  void read_group(int group, BitGrid& grid);

  const GladGLContext& gl_;
  const SlabPrograms& programs_;
  const SlabPlan& plan_;
  GlHandle vertices_, indices_, vertex_array_;
  GlHandle depth_;
  GlHandle colors_[2], framebuffers_[2];  // a group starts from the one before it
  std::vector<SliceBits> pixels_;
};

}  // namespace gvbind
