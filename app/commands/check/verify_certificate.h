#pragma once

// Tested by tests/command/certificate_test.py.

#include "commands/check/check_command.h"
#include "report/report_json.h"

namespace gvbind {

/// `gvbind check --verify`: compares each file, and the inputs that are still there, with its
/// certificate. Binds and judges nothing. Returns the exit code of the process: 1 for findings at
/// or above --fail-on. Throws Error(output) for a report that cannot be written.
int run_verify(const CheckCommand& command);

/// As run_verify(), and prints nothing: the report with the exit code.
Json verify_report(const CheckCommand& command);

}  // namespace gvbind
