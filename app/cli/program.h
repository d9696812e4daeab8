#pragma once

// Tested by tests/command/cli_test.py.

namespace gvbind {

/// The whole command: signals, the command line, and a check that all output reached stdout.
/// Returns the exit code. For a process that does nothing else.
int run_program(int argc, char** argv);

}  // namespace gvbind
