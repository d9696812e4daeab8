#include "batch/stop_signals.h"

#include "assets/staging_cleanup.h"

namespace gvbind {

namespace {

volatile sig_atomic_t came = 0;

void take_signal(int signal) {
  if (came != 0) end_on_signal(signal);
  came = signal;
}

}  // namespace

StopSignals::StopSignals() {
  came = 0;
  struct sigaction stop {};
  stop.sa_handler = take_signal;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &stop, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

int stop_signal() { return came; }

}  // namespace gvbind
