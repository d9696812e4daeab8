#pragma once

// Tested by tests/command/rig_test.py.

#include "bind/bindable_file.h"

namespace gvbind {

/// Ends read_input() as finish_input() does, and gives a file without joints the skeleton of
/// request.rig, as `gvbind rig` does with the same axes and units. A file with joints keeps them:
/// finding "rig-not-used". Throws Error as finish_input() and open_template(); cannot_bind.
void finish_rigged(const BindRequest& request, BindableFile& f, Findings& findings);

}  // namespace gvbind
