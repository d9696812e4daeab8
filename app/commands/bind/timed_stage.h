#pragma once

// Tested by tests/command/bind_clips_test.py.

#include <chrono>

#include "gvbind/base/peak_memory.h"
#include "gvbind/bind_skin.h"

namespace gvbind {

/// Runs a step and records its time under the name of a stage.
template <typename Step>
auto timed(BindStatistics& statistics, const char* stage, Step&& step) {
  struct Clock {
    BindStatistics& statistics;
    const char* stage;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~Clock() {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      statistics.stages.push_back({stage, seconds.count(), peak_memory_bytes()});
    }
  } clock{statistics, stage};
  return step();
}

}  // namespace gvbind
