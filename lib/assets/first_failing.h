#pragma once

#include <atomic>
#include <cstddef>

#include "gvbind/base/parallel.h"

namespace gvbind {

/// The least i below `count` for which check(i) is false, else `count`; the same on any number of
/// threads. Some later ones are checked too; check may fill places of its own.
template <typename Check>
std::size_t first_failing(std::size_t count, std::size_t grain, const Check& check) {
  std::atomic<std::size_t> least{count};
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (check(i)) continue;
      std::size_t known = least.load();
      while (i < known && !least.compare_exchange_weak(known, i)) continue;
      return;
    }
  });
  return least.load();
}

}  // namespace gvbind
