#include "gvbind/peak_memory.h"

#include <sys/resource.h>

namespace gvbind {

std::size_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux counts in kilobytes
}

}  // namespace gvbind
