#pragma once

// Tested by tests/python/module_test.py.

#include <string>
#include <utility>
#include <vector>

#include "gvbind/bind_skin.h"

namespace gvbind {

/// Options named by the long flags of `gvbind bind` without dashes; repeated ones have several
/// values.
using NamedValues = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// The options of a bind of arrays, parsed as by the command. Throws Error(usage) for an unknown
/// option, a value out of range, and options that need a file (meshes, a skeleton, rules).
BindOptions array_options(const NamedValues& given);

}  // namespace gvbind
