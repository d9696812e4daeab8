#pragma once

#include <memory>
#include <string>
#include <vector>

namespace gvbind {

struct EglDevice {
  int index = 0;  ///< place in the driver's enumeration
  std::string vendor, renderer, version;
  bool software = false;  ///< rendered by the CPU (llvmpipe, softpipe, swrast)
  bool usable = false;    ///< has all that voxelize_egl needs
  std::string why_not;    ///< one line if it is not usable
};

/// All EGL devices, hardware first. Each is probed in a child process, since drivers crash; never
/// throws, and an empty list means that there is no EGL at all.
std::vector<EglDevice> probe_egl_devices();

/// A surfaceless core-profile context, current on the thread that made it.
class EglContext {
 public:
  /// Throws Error(resource).
  explicit EglContext(const EglDevice& device);
  ~EglContext();
  EglContext(EglContext&&) noexcept;
  EglContext& operator=(EglContext&&) noexcept;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gvbind
