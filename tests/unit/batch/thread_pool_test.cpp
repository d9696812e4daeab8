#include "common/resources.h"

#include <signal.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "gvbind/base/parallel.h"

using namespace gvbind;

#if !defined(__SANITIZE_THREAD__)
TEST_CASE("a signal that ends the process is never handled on a thread of the pool") {
  set_up_threads(0);
  const auto caller = std::this_thread::get_id();
  std::atomic<int> open{0};
  parallel_for(64, 1, [&](std::size_t, std::size_t) {
    if (std::this_thread::get_id() == caller) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // leaves some to the others
      return;
    }
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    if (!sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGINT)) ++open;
  });
  CHECK(open == 0);
}
#endif
