// Tested by tests/package/npm_test.py.

#include "gvbind/base/peak_memory.h"

#include <emscripten/heap.h>

namespace gvbind {

// Memory only grows.
std::size_t peak_memory_bytes() { return emscripten_get_heap_size(); }

void restart_peak_memory() {}

}  // namespace gvbind
