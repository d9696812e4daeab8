// Tested by tests/package/npm_test.py.

// For WebAssembly, which has one thread here: all work runs on the caller's.

#include "gvbind/base/parallel.h"

#include <algorithm>

#include "gvbind/error.h"

namespace gvbind {

namespace {

const std::stop_token* current_stop = nullptr;

}  // namespace

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) {
  if (count == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  for (std::size_t begin = 0; begin < count; begin += std::min(grain, count - begin)) {
    check_stop();
    body(begin, begin + std::min(grain, count - begin));
  }
}

void parallel_sort(std::span<std::uint64_t> values) { std::sort(values.begin(), values.end()); }

void with_threads(int, const std::stop_token& stop, const std::function<void()>& work) {
  const std::stop_token* const before = current_stop;
  if (stop.stop_possible()) current_stop = &stop;
  try {
    check_stop();
    work();
  } catch (...) {
    current_stop = before;
    throw;
  }
  current_stop = before;
}

int usual_threads() { return 1; }

void set_up_pool(int, void (*)()) {}

void check_stop() {
  if (current_stop && current_stop->stop_requested()) throw Error(ErrorKind::canceled, "canceled");
}

}  // namespace gvbind
