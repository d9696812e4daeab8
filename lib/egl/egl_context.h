#pragma once

// Tested by tests/unit/egl/egl_test.cpp.

#include <memory>
#include <string>
#include <vector>

namespace gvbind {

struct EglDevice {
  int index =
      0;  ///< place in the driver's enumeration; -1: no enumeration, the driver's own choice
  std::string vendor, renderer, version;
  bool software = false;  ///< rendered by the CPU (llvmpipe, softpipe, swrast)
  bool usable = false;    ///< has all that voxelize_slabs needs
  std::string why_not;    ///< one line if it is not usable
};

/// All EGL devices: usable ones first, and of those hardware first. Each is probed in a child
/// process, since drivers crash, by voxelizing a small body there; never throws, and an empty list
/// means that there is no EGL at all. Probed once a process, later calls get the same answer: a
/// process that holds a context already cannot be forked safely.
std::vector<EglDevice> probe_egl_devices();

/// A surfaceless core-profile context. At most one thread at a time has it current; the one that
/// destroys it needs it released elsewhere. Of no use in a process that was forked off later.
class EglContext {
 public:
  /// Current on the thread that makes it. Throws Error(resource).
  explicit EglContext(const EglDevice& device);
  ~EglContext();
  EglContext(EglContext&&) noexcept;
  EglContext& operator=(EglContext&&) noexcept;

  /// On this thread, from then on. Throws Error(resource), also where the device was lost.
  void make_current();
  /// From this thread, so that another can have it.
  void release() noexcept;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gvbind
