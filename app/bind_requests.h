#pragma once

#include <vector>

#include "bind_file.h"
#include "commands.h"

namespace gvbind {

/// What the command binds: each input once, globs that the shell left alone expanded, and its
/// output below `output` where that is a folder (it ends with '/', is one, or there are several
/// inputs). Throws Error(usage) for a glob that matches nothing, two inputs with one output, and
/// several inputs with a file as their output, Error(input) for a folder as an input.
std::vector<BindRequest> requests_of(const BindCommand& command);

}  // namespace gvbind
