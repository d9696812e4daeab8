#pragma once

// Tested by tests/app/batch_config_test.py.

#include "batch/batch_command.h"
#include "report/batch_report.h"

namespace gvbind {

/// The threshold of the run as a whole; assets may have others.
FailOn fail_on_of(const BatchCommand& command);

/// Writes the reports that the command asks for: JSON, JUnit, HTML with its pictures, GitHub's
/// annotations and summary; each whole or not at all. Tries them all, with a line on stderr for
/// each that fails; false where one did.
bool write_reports(const BatchCommand& command, const Report& report);

}  // namespace gvbind
