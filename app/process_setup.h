#pragma once

// Tested by tests/app/cli_test.py.

namespace gvbind {

/// Keeps files that are opened later from taking the numbers of standard streams that the caller
/// has closed, where text meant for a stream would end up in them. Writing to such a stream fails.
void occupy_standard_streams();

/// The exit code of the process: `code`, or that of ErrorKind::output, with a line on stderr, where
/// a command that succeeded could not write all of its text to stdout. To be called last.
int close_standard_output(int code);

/// Tells malloc to keep memory that was freed for what comes next, and the system to back it with
/// large pages: a bind makes and drops arrays of megabytes, whose first touch would cost more than
/// their use. To be called before threads start; changes no result.
void keep_freed_memory();

}  // namespace gvbind
