#pragma once

namespace gvbind {

/// Tells malloc to keep memory that was freed for what comes next, and the system to back it with
/// large pages: a bind makes and drops arrays of megabytes, whose first touch would cost more than
/// their use. To be called before threads start; changes no result.
void keep_freed_memory();

}  // namespace gvbind
