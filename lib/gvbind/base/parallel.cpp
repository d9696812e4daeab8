#include "gvbind/base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
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

/// The pool counts its threads in 16 bits, and more of them than this help nowhere.
[[maybe_unused]] constexpr int most_threads = 4096;

/// Stop token of this thread's work; null: none. Bodies on other threads inherit it.
thread_local const std::stop_token* current_stop = nullptr;

/// Sets it for a scope.
class StopScope {
 public:
  explicit StopScope(const std::stop_token* asked) : before_(current_stop) { current_stop = asked; }
  ~StopScope() { current_stop = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::stop_token* before_;
};

class CallOnEntry : public tbb::task_scheduler_observer {
 public:
  explicit CallOnEntry(void (*entered)()) : entered_(entered) { observe(true); }
  void on_scheduler_entry(bool is_worker) override {
    if (is_worker) entered_();
  }

 private:
  void (*entered_)();
};

#if defined(__SANITIZE_THREAD__)
/// For the thread sanitizer: the pool's library is not instrumented, so the sanitizer misses that
/// its threads are done when a call returns and reports false races. It understands plain threads.
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
std::atomic<std::size_t> threads_tried{0};

/// If a thread cannot start, the pool throws in the middle of its work or ends the process.
/// Starting the maximum number of threads once beforehand gives a clean error instead. Throws
/// Error(resource).
void try_threads() {
  const std::size_t pool = std::min<std::size_t>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
      static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  if (pool <= threads_tried.load(std::memory_order_relaxed)) return;
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
  threads_tried = pool;
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
  check_stop();
  if (count <= grain) {
    body(0, count);
    return;
  }
  const std::stop_token* const asked = current_stop;
  if (!asked) return run_ranges(count, grain, body);
  run_ranges(count, grain, [&](std::size_t begin, std::size_t end) {
    const StopScope inside(asked);
    check_stop();
    body(begin, end);
  });
}

namespace {

template <typename Value>
void sort_values(std::span<Value> values) {
#if !defined(__SANITIZE_THREAD__)
  if (values.size() > sequential_sort) {
    try_threads();
    return tbb::parallel_sort(values.begin(), values.end());
  }
#endif
  std::sort(values.begin(), values.end());
}

}  // namespace

void parallel_sort(std::span<std::uint64_t> values) { sort_values(values); }
void parallel_sort(std::span<IndexedKey> values) { sort_values(values); }

void with_threads(int threads, const std::stop_token& stop, const std::function<void()>& work) {
  const StopScope watched(stop.stop_possible() ? &stop : current_stop);
  check_stop();
#if !defined(__SANITIZE_THREAD__)
  if (threads > 0) {
    threads = std::min(threads, most_threads);
    // More threads than cores require a global limit that allows them.
    const tbb::global_control more(
        tbb::global_control::max_allowed_parallelism,
        std::max<std::size_t>(
            static_cast<std::size_t>(threads),
            tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism)));
    tbb::task_arena arena(threads);
    const std::stop_token* const asked = current_stop;
    arena.execute([&] {
      const StopScope inside(asked);
      work();
    });
    return;
  }
#else
  static_cast<void>(threads);
#endif
  work();
}

int usual_threads() { return tbb::info::default_concurrency(); }

void set_up_pool(int threads, void (*entered)()) {
  // Both are leaked on purpose: the thread pool uses them until the process exits. If the limit
  // were destroyed earlier, the pool would start the threads that the limit holds back.
  static const auto* observer = new CallOnEntry(entered);
  static_cast<void>(observer);
  static auto* limit = new std::optional<tbb::global_control>;
  if (threads > 0)
    limit->emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
}

void check_stop() {
  if (current_stop && current_stop->stop_requested()) throw Error(ErrorKind::canceled, "canceled");
}

}  // namespace gvbind
