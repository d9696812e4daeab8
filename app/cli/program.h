#pragma once

// Tested by tests/command/cli_test.py.

namespace gvbind {

/// The whole of the command: signals, the command line, and a look at whether stdout took all of
/// it. Returns the exit code. For a process that does nothing else.
int run_program(int argc, char** argv);

}  // namespace gvbind
