#pragma once

// Tested by tests/unit/egl/slab_voxelizer_test.cpp.

#include <array>
#include <cstddef>

#include "egl/gl_handle.h"
#include "egl/slab_decode.h"
#include "egl/slab_plan.h"

namespace gvbind::egl {

/// Reads images of slices from the device into a grid while the next ones are drawn. Each is copied
/// to a device buffer, and decoded when that buffer is needed again. All members throw
/// Error(resource) if the device fails.
class SlabReadback {
 public:
  explicit SlabReadback(const GladGLContext& gl) : gl_(gl) {}
  ~SlabReadback();
  SlabReadback(const SlabReadback&) = delete;
  SlabReadback& operator=(const SlabReadback&) = delete;

  /// Starts copying a group from the bound framebuffer into the tile's part of the grid. Plan and
  /// grid must live until finish().
  void start(const SlabPlan& plan, const PixelRect& tile, int group, BitGrid& grid);

  /// Waits for all pending copies.
  void finish();

 private:
  struct Copy {
    GlHandle buffer;
    std::size_t capacity = 0;  // bytes
    GLsync fence = nullptr;
    const SlabPlan* plan = nullptr;
    PixelRect tile;
    int group = 0;
    BitGrid* grid = nullptr;
  };

  void decode_oldest();
  void wait_for(Copy& copy);

  const GladGLContext& gl_;
  // One being drawn, one copied, one decoded.
  std::array<Copy, 3> ring_;
  std::size_t oldest_ = 0, under_way_ = 0;
};

}  // namespace gvbind::egl
