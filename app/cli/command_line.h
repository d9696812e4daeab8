#pragma once

// Tested by tests/app/cli_test.py.

namespace gvbind {

/// Parses the command line and runs the subcommand; returns the exit code. Usage errors throw
/// Error(usage) or print what CLI11 has to say, and give 2.
int run_command_line(int argc, char** argv);

}  // namespace gvbind
