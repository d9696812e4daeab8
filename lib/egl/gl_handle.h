#pragma once

// Tested by tests/unit/egl/slab_voxelizer_test.cpp.

#include <glad/gl.h>

#include <utility>

namespace gvbind::egl {

/// Owns one OpenGL object. Its context must be current when it is destroyed.
class GlHandle {
 public:
  using Release = void (*)(const GladGLContext&, GLuint);

  GlHandle() = default;
  GlHandle(const GladGLContext& gl, GLuint id, Release release)
      : gl_(&gl), id_(id), release_(release) {}
  GlHandle(GlHandle&& other) noexcept { swap(other); }
  GlHandle& operator=(GlHandle&& other) noexcept {
    GlHandle taken(std::move(other));
    swap(taken);
    return *this;
  }
  GlHandle(const GlHandle&) = delete;
  GlHandle& operator=(const GlHandle&) = delete;
  ~GlHandle() {
    if (id_ != 0) release_(*gl_, id_);
  }

  GLuint id() const { return id_; }

 private:
  void swap(GlHandle& other) noexcept {
    std::swap(gl_, other.gl_);
    std::swap(id_, other.id_);
    std::swap(release_, other.release_);
  }

  const GladGLContext* gl_ = nullptr;
  GLuint id_ = 0;
  Release release_ = nullptr;
};

GlHandle make_buffer(const GladGLContext& gl);
GlHandle make_texture(const GladGLContext& gl);
GlHandle make_renderbuffer(const GladGLContext& gl);
GlHandle make_framebuffer(const GladGLContext& gl);
GlHandle make_vertex_array(const GladGLContext& gl);

/// Compiles and links. Throws Error(resource) with the first line of the driver's log.
GlHandle make_program(const GladGLContext& gl, const char* vertex_source,
                      const char* fragment_source);

/// Throws Error(resource) naming `doing` if an error is pending.
void check_gl(const GladGLContext& gl, const char* doing);

}  // namespace gvbind::egl
