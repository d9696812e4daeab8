#pragma once

// Tested by tests/command/target_test.py.

#include "cli/bind_options.h"

namespace gvbind {

BindOption target_option();
BindOption max_influences_option();

/// How many joints a vertex may have: as given, or as many as the target reads; 0: any number.
/// Throws Error(usage) where more are given than the target reads.
int influences_of(const BindSettings& settings);

}  // namespace gvbind
