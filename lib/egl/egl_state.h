#pragma once

#include <glad/egl.h>
#include <glad/gl.h>

#include <optional>
#include <string>

#include "egl/egl_context.h"
#include "egl/slab_renderer.h"

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
/// the driver keeps in globals. Throws Error(resource), always so in a process that was forked off
/// after one was opened: the driver's threads and its connection to the device stay behind.
EGLDisplay open_egl_display(int device_index);

/// A context, current from its making on.
class EglContextHandle {
 public:
  /// Throws Error(resource).
  explicit EglContextHandle(EGLDisplay display);
  ~EglContextHandle();
  EglContextHandle(const EglContextHandle&) = delete;
  EglContextHandle& operator=(const EglContextHandle&) = delete;

  /// False where the driver refuses.
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
  /// What the context owns is given back through it.
  ~State() { context.make_current(); }
  std::string gl_string(GLenum name) const;
};

}  // namespace gvbind
