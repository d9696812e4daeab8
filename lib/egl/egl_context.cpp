#include "egl/egl_context.h"

#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <vector>

#include "egl/egl_state.h"
#include "gvbind/error.h"

namespace gvbind::egl {
namespace {

struct ClientExtensions {
  bool devices = false;
  bool surfaceless = false;
};

// glad stores the EGL functions in globals.
std::mutex egl_mutex;

[[noreturn]] void fail(const char* what) {
  char code[16] = "";
  if (eglGetError) std::snprintf(code, sizeof code, " (0x%04x)", unsigned(eglGetError()));
  throw Error(ErrorKind::resource, std::string("EGL: ") + what + code);
}

// Before a display exists, only EGL 1.0 and the client extensions can be loaded.
ClientExtensions load_client() {
  if (!gladLoaderLoadEGL(EGL_NO_DISPLAY)) return {};
  ClientExtensions found;
  const bool platforms = GLAD_EGL_EXT_platform_base && eglGetPlatformDisplayEXT;
  const bool enumeration = GLAD_EGL_EXT_device_base || GLAD_EGL_EXT_device_enumeration;
  found.devices =
      platforms && enumeration && GLAD_EGL_EXT_platform_device && eglQueryDevicesEXT != nullptr;
  found.surfaceless = platforms && GLAD_EGL_MESA_platform_surfaceless;
  return found;
}

std::vector<EGLDeviceEXT> query_devices() {
  EGLint count = 0;
  if (!eglQueryDevicesEXT(0, nullptr, &count) || count <= 0) return {};
  std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
  if (!eglQueryDevicesEXT(count, devices.data(), &count)) return {};
  devices.resize(static_cast<std::size_t>(count));
  return devices;
}

EGLDisplay display_of(int device_index) {
  const ClientExtensions client = load_client();
  if (device_index < 0) {
    if (!client.surfaceless) fail("no surfaceless platform");
    return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  }
  if (!client.devices) fail("no enumeration of devices");
  const std::vector<EGLDeviceEXT> devices = query_devices();
  if (static_cast<std::size_t>(device_index) >= devices.size()) fail("no such device");
  return eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[device_index], nullptr);
}

void check_display_features() {
  if (!eglBindAPI || !eglCreateContext || !eglMakeCurrent || !eglDestroyContext)
    fail("the library lacks functions of EGL 1.4");
  if (!GLAD_EGL_KHR_surfaceless_context) fail("no contexts without a surface");
  if (!GLAD_EGL_KHR_no_config_context) fail("no contexts without a config");
  if (!GLAD_EGL_KHR_create_context && !GLAD_EGL_VERSION_1_5) fail("no core-profile contexts");
}

}  // namespace

EglOffer find_egl_devices() {
  const std::lock_guard lock(egl_mutex);
  const ClientExtensions client = load_client();
  EglOffer offer;
  if (client.devices) offer.count = static_cast<int>(query_devices().size());
  offer.surfaceless = client.surfaceless;
  return offer;
}

EGLDisplay open_egl_display(int device_index) {
  const std::lock_guard lock(egl_mutex);
  static pid_t opened_by = 0;
  if (opened_by != 0 && opened_by != getpid()) fail("in use since before this process was forked");
  const EGLDisplay display = display_of(device_index);
  if (display == EGL_NO_DISPLAY) fail("no display for the device");
  // No effect if the display is open already.
  if (!eglInitialize(display, nullptr, nullptr)) fail("the device does not start");
  opened_by = getpid();
  if (!gladLoaderLoadEGL(display)) fail("the display's functions cannot be loaded");
  check_display_features();
  return display;
}

EglContextHandle::EglContextHandle(EGLDisplay display) : display_(display) {
  const std::lock_guard lock(egl_mutex);
  if (!eglBindAPI(EGL_OPENGL_API)) fail("no desktop OpenGL");
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                           3,
                           EGL_CONTEXT_MINOR_VERSION,
                           3,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_NONE};
  context_ = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
  if (context_ == EGL_NO_CONTEXT) fail("no OpenGL 3.3 core context");
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
    eglDestroyContext(display, context_);
    fail("the context cannot be made current");
  }
}

EglContextHandle::~EglContextHandle() {
  release();
  eglDestroyContext(display_, context_);
}

bool EglContextHandle::make_current() noexcept {
  // The current context is per thread.
  return eglGetCurrentContext() == context_ ||
         (eglBindAPI(EGL_OPENGL_API) &&
          eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_));
}

void EglContextHandle::release() noexcept {
  if (eglGetCurrentContext() == context_)
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

EglContext::State::State(int device_index) : context(open_egl_display(device_index)) {
  if (!gladLoadGLContext(&gl, eglGetProcAddress) || !GLAD_EGL_VERSION_1_0)
    throw Error(ErrorKind::resource, "OpenGL: the functions cannot be loaded");
  if (!gl.VERSION_3_3)
    throw Error(ErrorKind::resource,
                "OpenGL 3.3 is needed, the device has " + gl_string(GL_VERSION));
}

std::string EglContext::State::gl_string(GLenum name) const {
  const GLubyte* text = gl.GetString(name);
  return text ? reinterpret_cast<const char*>(text) : "";
}

EglContext::EglContext(const EglDevice& device) : state_(std::make_unique<State>(device.index)) {}
EglContext::~EglContext() = default;

void EglContext::make_current() {
  if (!state_->context.make_current()) fail("the context cannot be made current");
}

void EglContext::release() noexcept { state_->context.release(); }

EglContext::EglContext(EglContext&&) noexcept = default;
EglContext& EglContext::operator=(EglContext&&) noexcept = default;

}  // namespace gvbind::egl
