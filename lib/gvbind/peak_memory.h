#pragma once

#include <cstddef>

namespace gvbind {

/// The most resident memory that this process has held so far, in bytes.
std::size_t peak_memory_bytes();

}  // namespace gvbind
