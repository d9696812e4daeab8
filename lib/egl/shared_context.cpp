#include "egl/shared_context.h"

#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <optional>

#include "egl/egl_context.h"
#include "gvbind/error.h"

namespace gvbind::egl {
namespace {

struct Kept {
  std::mutex mutex;
  std::optional<EglContext> context;
  int device = 0;
  pid_t owner = 0;
};

// Destroyed at exit only by give_back(), because a forked process must not touch its copy.
Kept& kept() {
  static Kept* const it = new Kept;
  return *it;
}

// Registered after the driver was loaded, so it runs before the driver's own exit handlers.
void give_back() {
  Kept& it = kept();
  // Another thread may still be drawing; a forked process has only a copy.
  const std::unique_lock lock(it.mutex, std::try_to_lock);
  if (lock && it.owner == getpid()) it.context.reset();
}

void make_ready(Kept& it, const EglDevice& device) {
  if (it.owner != 0 && it.owner != getpid())
    throw Error(ErrorKind::resource, "EGL: in use since before this process was forked");
  if (it.context && it.device != device.index) it.context.reset();
  if (it.context) try {
      it.context->make_current();
      return;
    } catch (const Error&) {
      it.context.reset();
    }
  it.context.emplace(device);
  it.device = device.index;
  if (it.owner == 0) std::atexit(give_back);
  it.owner = getpid();
}

thread_local bool drawing = false;

// While this thread waits for the pool during drawing, the pool may run another bind here.
void draw_meanwhile(const EglDevice& device, const std::function<void(EglContext&)>& work) {
  const auto draw = [&] {
    EglContext own(device);
    work(own);
  };
  try {
    draw();
  } catch (...) {
    kept().context->make_current();
    throw;
  }
  kept().context->make_current();
}

}  // namespace

void with_shared_context(const EglDevice& device, const std::function<void(EglContext&)>& work) {
  if (drawing) return draw_meanwhile(device, work);
  Kept& it = kept();
  const std::lock_guard lock(it.mutex);
  make_ready(it, device);
  drawing = true;
  try {
    work(*it.context);
  } catch (...) {
    drawing = false;
    it.context.reset();
    throw;
  }
  drawing = false;
  it.context->release();
}

bool keeps_shared_context() {
  Kept& it = kept();
  const std::lock_guard lock(it.mutex);
  return it.context && it.owner == getpid();
}

}  // namespace gvbind::egl
