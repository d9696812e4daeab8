#pragma once

// Tested by tests/command/rules_test.py.

#include <vector>

#include "cli/bind_options.h"

namespace gvbind {

/// --edits, --influences, --forbid, --give, --lock and --mirror-axis: what a rigger decides.
/// Applying
/// --edits and --influences reads the file and throws Error(input) that begins with its path and,
/// where a line is malformed, that line's number.
std::vector<BindOption> rule_options();

}  // namespace gvbind
