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

/// The initialized display of a device, shared by all its contexts. It stays open for the life of
/// the process: ending it unloads the driver, which costs the next context a start and loses what
/// the driver keeps in globals. Throws Error(resource).
EGLDisplay open_egl_display(int device_index);

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
  EglContextHandle context;
  GladGLContext gl{};
  std::optional<SlabPrograms> programs;

  explicit State(int device_index);
  std::string gl_string(GLenum name) const;
};

}  // namespace gvbind
