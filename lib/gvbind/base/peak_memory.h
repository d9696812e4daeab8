#pragma once

#include <cstddef>

namespace gvbind {

/// Peak resident memory of this process in bytes.
std::size_t peak_memory_bytes();

/// Resets the peak, for processes that run several jobs; no effect if the system does not support
/// it.
void restart_peak_memory();

}  // namespace gvbind
