#pragma once

#include <cstddef>

namespace gvbind {

/// The most resident memory that this process has held so far, in bytes.
std::size_t peak_memory_bytes();

/// Lets it count from now on, for a process that does one work after another; where the system
/// refuses that, it goes on as before.
void restart_peak_memory();

}  // namespace gvbind
