#pragma once

// Tested by tests/command/cli_test.py.

#include "bind/bind_request.h"

namespace gvbind {

/// Rejects outputs that cannot be written, before any work is done. Throws Error: output, usage.
void check_outputs(const BindRequest& request);

}  // namespace gvbind
