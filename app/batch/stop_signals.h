#pragma once

// Tested by tests/app/batch_stress_test.py.

#include <signal.h>

#include <array>

namespace gvbind {

/// While one lives, the first SIGINT, SIGTERM or SIGHUP asks the run to end in good order; the
/// second ends the process. Signals that the caller ignores (nohup) stay ignored. One at a time.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

/// The signal that came since the last StopSignals was made; 0: none.
int stop_signal();

}  // namespace gvbind
