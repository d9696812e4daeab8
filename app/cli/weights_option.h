#pragma once

// Tested by tests/command/fit_test.py.

#include "cli/bind_options.h"

namespace gvbind {

/// --weights: a word, or a file of weights. Applying it throws Error: usage where there is neither
/// such a word nor such a file; input, beginning with the path, where it is no file of weights for
/// this gvbind.
BindOption weights_option();

}  // namespace gvbind
