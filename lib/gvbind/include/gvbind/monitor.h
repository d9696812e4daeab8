#pragma once

#include <functional>
#include <stop_token>

namespace gvbind {

/// Called on the calling thread at the start of each stage with its name and the fraction already
/// done, 0 to 1. Exceptions pass through to the caller.
using Progress = std::function<void(const char* stage, double done)>;

/// Observes and cancels a long call. Both members are optional.
struct Monitor {
  Progress progress = {};
  /// A stop request from any thread makes the call throw Error(canceled) soon.
  std::stop_token stop = {};
};

}  // namespace gvbind
