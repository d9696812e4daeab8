#pragma once

namespace gvbind {

/// From now on the process has so many threads at work (0: one per core). Signals that end the
/// process are handled on the calling threads alone: a handler that removes files must not run
/// beside the thread that is writing them. To be called before the first parallel work, after
/// fork().
void set_up_threads(int threads);

}  // namespace gvbind
