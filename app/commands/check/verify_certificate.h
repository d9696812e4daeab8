#pragma once

// Tested by tests/command/certificate_test.py.

#include "commands/check/check_command.h"

namespace gvbind {

/// `gvbind check --verify`: compares each file, and the inputs that are still there, with its
/// certificate. Binds and judges nothing. Returns the exit code of the process: 1 for findings at
/// or above --fail-on. Throws Error(output) for a report that cannot be written.
int run_verify(const CheckCommand& command);

}  // namespace gvbind
