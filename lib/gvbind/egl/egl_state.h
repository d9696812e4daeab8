#pragma once

#include <glad/egl.h>
#include <glad/gl.h>

#include <optional>
#include <string>

#include "gvbind/egl/egl_context.h"
#include "gvbind/egl/slab_renderer.h"

namespace gvbind {

/// Devices that EGL offers: places 0 to count - 1, or none but the driver's own choice.
struct EglOffer {
  int count = 0;
  bool surfaceless = false;
};

/// Opens libEGL. Never throws; nothing is offered where there is no EGL.
EglOffer find_egl_devices();

/// An initialized display. Contexts of one device share it, and the last one ends it.
class EglDisplayHandle {
 public:
  /// Throws Error(resource).
  explicit EglDisplayHandle(int device_index);
  ~EglDisplayHandle();
  EglDisplayHandle(const EglDisplayHandle&) = delete;
  EglDisplayHandle& operator=(const EglDisplayHandle&) = delete;

  EGLDisplay get() const { return display_; }

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
};

/// A context, current from its making on.
class EglContextHandle {
 public:
  /// Throws Error(resource).
  explicit EglContextHandle(EGLDisplay display);
  ~EglContextHandle();
  EglContextHandle(const EglContextHandle&) = delete;
  EglContextHandle& operator=(const EglContextHandle&) = delete;

 private:
  EGLDisplay display_;
  EGLContext context_ = EGL_NO_CONTEXT;
};

struct EglContext::State {
  EglDisplayHandle display;
  EglContextHandle context;
  GladGLContext gl{};
  std::optional<SlabPrograms> programs;

  explicit State(int device_index);
  std::string gl_string(GLenum name) const;
};

}  // namespace gvbind
