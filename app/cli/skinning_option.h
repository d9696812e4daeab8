#pragma once

// Tested by tests/command/skinning_test.py.

#include "cli/bind_options.h"

namespace gvbind {

/// --skinning: a word, or a file of factors. Applying it throws Error(usage) where there is neither
/// such a word nor such a file.
BindOption skinning_option();

}  // namespace gvbind
