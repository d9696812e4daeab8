#include "gvbind/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>

namespace gvbind {

namespace {

constexpr std::size_t sequential_sort = 4096;

}  // namespace

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) {
  if (count == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  if (count <= grain) {
    body(0, count);
    return;
  }
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, grain),
      [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
}

void parallel_sort(std::span<std::uint64_t> values) {
  if (values.size() <= sequential_sort)
    std::sort(values.begin(), values.end());
  else
    tbb::parallel_sort(values.begin(), values.end());
}

}  // namespace gvbind
