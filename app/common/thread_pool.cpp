#include "common/thread_pool.h"

#include <signal.h>
#include <tbb/global_control.h>
#include <tbb/task_scheduler_observer.h>

#include <cstddef>
#include <optional>

namespace gvbind {

namespace {

class SignalsToCaller : public tbb::task_scheduler_observer {
 public:
  SignalsToCaller() { observe(true); }
  void on_scheduler_entry(bool is_worker) override {
    if (!is_worker) return;
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  }
};

}  // namespace

void set_up_threads(int threads) {
  // Neither is ever destroyed: both serve the pool for as long as it lives, and without its limit
  // it would start at once what that held back.
  static const auto* observer = new SignalsToCaller;
  static_cast<void>(observer);
  static auto* limit = new std::optional<tbb::global_control>;
  if (threads > 0)
    limit->emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
}

}  // namespace gvbind
