#pragma once

// Tested by tests/command/refine_test.py.

#include "commands/bind/prepare_bind.h"

namespace gvbind {

/// Weights as they move best, within what the rules of the request allow. A finding says what that
/// came to.
void refine_bound(const BindRequest& request, const PreparedBind& p, SceneBinding& made);

}  // namespace gvbind
