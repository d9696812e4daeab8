#pragma once

#include <functional>
#include <stop_token>

namespace gvbind {

/// Called on the calling thread as each stage begins: its name, and the fraction of the whole that
/// is done, 0 to 1. What it throws comes out of the call.
using Progress = std::function<void(const char* stage, double done)>;

/// Follows a long call and may end it. Both members may be left empty.
struct Monitor {
  Progress progress = {};
  /// When stop is requested, from any thread, the call soon throws Error(canceled).
  std::stop_token stop = {};
};

}  // namespace gvbind
