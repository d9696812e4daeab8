#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace gvbind {

/// The only interface to the thread pool. Bodies must write to separate locations (or to atomics
/// whose result does not depend on the order), because every stage must give the same bytes on any
/// number of threads.
///
/// Calls body(begin, end) on ranges that partition 0 .. count. Ranges have at least `grain` items,
/// except the last. A count of at most one grain runs on the calling thread. Exceptions of bodies
/// are rethrown. Throws Error(resource) if a thread cannot start.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

/// A number and the index of its item.
using IndexedKey = std::pair<std::uint64_t, std::uint32_t>;

/// Sort ascending. Throw like parallel_for().
void parallel_sort(std::span<std::uint64_t> values);
void parallel_sort(std::span<IndexedKey> values);

/// Runs `work` with at most `threads` threads including the caller's (0: no further limit; above
/// 4096: 4096), and throws Error(canceled) soon after `stop` is requested.
void with_threads(int threads, const std::stop_token& stop, const std::function<void()>& work);

/// Threads of the pool where nothing limits them.
int usual_threads();

/// Limits the pool from now on to `threads` (0: no limit); `entered` is called first on each of its
/// threads but the caller's. Call before the first parallel work.
void set_up_pool(int threads, void (*entered)());

/// Throws Error(canceled) if the stop token of with_threads() is triggered. For sequential loops.
void check_stop();

/// Calls task(i) for each i below `count` in parallel: for few, long tasks. All of them run. If
/// several throw, the exception of the lowest i is rethrown, so that the error is reproducible.
template <typename Task>
void parallel_each(std::size_t count, const Task& task) {
  std::vector<std::exception_ptr> thrown(count);
  parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      try {
        task(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

/// The smallest i below `count` for which check(i) is false, else `count`; independent of the
/// number of threads. Checks some later ones too; check(i) may write to element i of arrays.
template <typename Check>
std::size_t first_failing(std::size_t count, std::size_t grain, const Check& check) {
  std::atomic<std::size_t> lowest{count};
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (check(i)) continue;
      std::size_t known = lowest.load();
      while (i < known && !lowest.compare_exchange_weak(known, i)) continue;
      return;
    }
  });
  return lowest.load();
}

}  // namespace gvbind
