#pragma once

// Tested by tests/command/refine_test.py.

#include "bind/bindable_file.h"

namespace gvbind {

/// Refines the weights within the rules of the request. A finding gives the measures before and
/// after.
void refine_bound(const BindRequest& request, const BindableFile& f, SceneBinding& made);

}  // namespace gvbind
