#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace gvbind {

/// The only door to the thread pool. Bodies must write to places of their own (or through atomics
/// whose result does not depend on the order): every stage gives the same bytes on any number of
/// threads.
///
/// Calls body(begin, end) on ranges that together cover 0 .. count once each. Ranges hold at least
/// `grain` items (but for the last); a count of one grain or less runs on the calling thread. What
/// a body throws comes out of the call. Throws Error(resource) where a thread cannot start.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Sorts ascending. Throws as above.
void parallel_sort(std::span<std::uint64_t> values);

/// Calls `work` such that what it calls here runs on at most so many threads, the calling one among
/// them (0: as many as the caller may use), and throws Error(canceled) soon after `stop` is
/// requested.
void with_threads(int threads, const std::stop_token& stop, const std::function<void()>& work);

/// Throws Error(canceled) where with_threads() was told to stop. For loops that are not parallel.
void check_stop();

/// Calls task(i) for every i below `count`, on any threads: for few tasks of much work. All are
/// run; of those that throw the first in order is rethrown, so that the same input gives the same
/// error.
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

/// The least i below `count` for which check(i) is false, else `count`; the same on any number of
/// threads. Some later ones are checked too; check may write to element i of arrays.
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
