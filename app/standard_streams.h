#pragma once

namespace gvbind {

/// Keeps files that are opened later from taking the numbers of standard streams that the caller
/// has closed, where text meant for a stream would end up in them. Writing to such a stream fails.
void occupy_standard_streams();

/// The exit code of the process: `code`, or that of ErrorKind::output, with a line on stderr, where
/// a command that succeeded could not write all of its text to stdout. To be called last.
int close_standard_output(int code);

}  // namespace gvbind
