#pragma once

// Tested by tests/unit/egl/egl_test.cpp.

#include <memory>
#include <string>
#include <vector>

namespace gvbind::egl {

struct EglDevice {
  int index =
      0;  ///< index in the driver's enumeration; -1: no enumeration, the driver's own choice
  std::string vendor, renderer, version;
  bool software = false;  ///< rendered by the CPU (llvmpipe, softpipe, swrast)
  bool usable = false;    ///< supports everything that voxelize_slabs() needs
  std::string why_not;    ///< one line if it is not usable
};

/// All EGL devices: usable ones first, of these hardware first. Since drivers crash, each is probed
/// in a child process by voxelizing a small body. Never throws; empty without EGL. Probes once per
/// process and caches the result, because a process that has a context cannot be forked safely.
std::vector<EglDevice> probe_egl_devices();

/// A surfaceless core-profile context. Current on at most one thread at a time; must not be current
/// on another thread when destroyed. Unusable in processes forked later.
class EglContext {
 public:
  /// Becomes current on the calling thread. Throws Error(resource).
  explicit EglContext(const EglDevice& device);
  ~EglContext();
  EglContext(EglContext&&) noexcept;
  EglContext& operator=(EglContext&&) noexcept;

  /// On the calling thread. Throws Error(resource), also if the device was lost.
  void make_current();
  /// From the calling thread, so that another can make it current.
  void release() noexcept;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gvbind::egl
