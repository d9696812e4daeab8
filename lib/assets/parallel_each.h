#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <vector>

#include "gvbind/base/parallel.h"

namespace gvbind {

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
