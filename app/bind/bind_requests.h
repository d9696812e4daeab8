#pragma once

// Tested by tests/app/cli_test.py.

#include <vector>

#include "bind/bind_command.h"
#include "bind/bind_file.h"

namespace gvbind {

/// What the command binds: each input once, globs that the shell left alone expanded, and its
/// output below `output` where that is a directory (it ends with '/', is one, or there are several
/// inputs). Throws Error(usage) for a glob that matches nothing, two inputs with one output, and
/// several inputs with a file as their output, Error(input) for a directory as an input.
std::vector<BindRequest> requests_of(const BindCommand& command);

}  // namespace gvbind
