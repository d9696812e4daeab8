#pragma once

#include <glad/egl.h>
#include <glad/gl.h>

#include <optional>
#include <string>

#include "egl/egl_context.h"
#include "egl/slab_renderer.h"

namespace gvbind::egl {

/// The devices of EGL: indices 0 to count - 1, or none except the driver's own choice.
struct EglOffer {
  int count = 0;
  bool surfaceless = false;
};

/// Opens libEGL. Never throws; empty without EGL.
EglOffer find_egl_devices();

/// The initialized display of a device, shared by all its contexts. It stays open until the process
/// ends: closing it unloads the driver, which slows down the next context and loses the driver's
/// globals. Throws Error(resource), always in a process forked after a display was opened, because
/// the driver's threads and its connection to the device are not inherited.
EGLDisplay open_egl_display(int device_index);

/// A context, current from its construction.
class EglContextHandle {
 public:
  /// Throws Error(resource).
  explicit EglContextHandle(EGLDisplay display);
  ~EglContextHandle();
  EglContextHandle(const EglContextHandle&) = delete;
  EglContextHandle& operator=(const EglContextHandle&) = delete;

  /// False if the driver refuses.
  bool make_current() noexcept;
  void release() noexcept;

 private:
  EGLDisplay display_;
  EGLContext context_ = EGL_NO_CONTEXT;
};

struct EglContext::State {
  EglContextHandle context;
  GladGLContext gl{};
  std::optional<SlabPrograms> programs;

  explicit State(int device_index);
  /// Current for releasing the context's objects.
  ~State() { context.make_current(); }
  std::string gl_string(GLenum name) const;
};

}  // namespace gvbind::egl
