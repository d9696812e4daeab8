#pragma once

// Tested by tests/command/rig_test.py.

#include "cli/bind_options.h"

namespace gvbind {

/// --rig: a template's name, or a file with a skeleton. Applying it throws Error: usage where it is
/// neither; input, beginning with the path, where the file cannot be read.
BindOption rig_option();

}  // namespace gvbind
