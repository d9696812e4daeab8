#include "gvbind/base/parallel.h"

#include <signal.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <latch>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gvbind/error.h"

namespace gvbind {

namespace {

[[maybe_unused]] constexpr std::size_t sequential_sort = 4096;

#if defined(__SANITIZE_THREAD__)
/// The pool's library is not instrumented, so the sanitizer would not know that its threads have
/// ended their work when a call returns, and would tell of races that are none. Plain threads it
/// understands.
void run_ranges(std::size_t count, std::size_t grain,
                const std::function<void(std::size_t begin, std::size_t end)>& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (std::size_t begin; (begin = next.fetch_add(grain)) < count;)
        body(begin, std::min(count, begin + grain));
    } catch (...) {
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  }
  if (thrown) std::rethrow_exception(thrown);
}
#else
/// Signals that end the process are left to the caller's threads: a handler that removes files must
/// not run beside the thread that is writing them.
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

std::atomic<bool> threads_tried{false};

/// Where a thread cannot start the pool throws in the midst of its work, or ends the process. So as
/// many threads as it may take are started once, before it gets any. Throws Error(resource).
void try_threads() {
  if (threads_tried.load(std::memory_order_relaxed)) return;
  const std::size_t pool = std::min<std::size_t>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
      static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  std::latch all_started(1);
  std::vector<std::jthread> threads;
  std::string trouble;
  try {
    while (threads.size() + 1 < pool) threads.emplace_back([&] { all_started.wait(); });
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  all_started.count_down();
  if (!trouble.empty())
    throw Error(ErrorKind::resource,
                "no further thread can be started (" + std::to_string(pool) +
                    " wanted): " + trouble +
                    "; allow more processes or memory (ulimit), or fewer threads (--jobs)");
  static const auto* observer = new SignalsToCaller;  // for the life of the pool
  static_cast<void>(observer);
  threads_tried = true;
}

void run_ranges(std::size_t count, std::size_t grain,
                const std::function<void(std::size_t begin, std::size_t end)>& body) {
  try_threads();
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, grain),
      [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
}
#endif

}  // namespace

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) {
  if (count == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  if (count <= grain) {
    body(0, count);
    return;
  }
  run_ranges(count, grain, body);
}

void parallel_sort(std::span<std::uint64_t> values) {
#if !defined(__SANITIZE_THREAD__)
  if (values.size() > sequential_sort) {
    try_threads();
    return tbb::parallel_sort(values.begin(), values.end());
  }
#endif
  std::sort(values.begin(), values.end());
}

void limit_threads(int threads) {
  // Never destroyed: the pool would start at once what the limit held back.
  static auto* limit = new std::optional<tbb::global_control>;
  limit->emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
#if !defined(__SANITIZE_THREAD__)
  threads_tried = false;
#endif
}

}  // namespace gvbind
