#pragma once

// Tested by tests/command/falloff_test.py.

#include <vector>

#include "cli/bind_options.h"

namespace gvbind {

/// What shapes weights beside --alpha: --falloff, --alpha-joint, --prune.
std::vector<BindOption> falloff_options();

}  // namespace gvbind
