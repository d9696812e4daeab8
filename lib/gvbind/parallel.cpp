#include "gvbind/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gvbind {

namespace {

constexpr std::size_t sequential_sort = 4096;

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
void run_ranges(std::size_t count, std::size_t grain,
                const std::function<void(std::size_t begin, std::size_t end)>& body) {
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
#if defined(__SANITIZE_THREAD__)
  constexpr bool sequential = true;
#else
  const bool sequential = values.size() <= sequential_sort;
#endif
  if (sequential)
    std::sort(values.begin(), values.end());
  else
    tbb::parallel_sort(values.begin(), values.end());
}

}  // namespace gvbind
