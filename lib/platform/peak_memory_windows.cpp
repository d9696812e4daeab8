// Tested by tests/package/windows_test.py.

#include "gvbind/base/peak_memory.h"

#include <windows.h>
// After windows.h.
#include <psapi.h>

namespace gvbind {

std::size_t peak_memory_bytes() {
  PROCESS_MEMORY_COUNTERS counters{};
  GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  return counters.PeakWorkingSetSize;
}

void restart_peak_memory() {}

}  // namespace gvbind
