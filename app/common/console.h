#pragma once

// Tested by tests/command/escaping_test.py.

#include <cstdio>
#include <string_view>

#include "gvbind/finding.h"
#include "log/event_log.h"

namespace gvbind {

// All that the command prints goes through these functions, so that no name in a file can move a
// terminal's cursor, forge a line or give a CI server a command, and so that lines stay whole where
// stdout and stderr are one stream.

/// A line: escaped by printable(), ended, and written at once after what the other stream held
/// back. Results go to stdout, talk to stderr.
void print_line(std::FILE* stream, std::string_view line, LogLevel level = LogLevel::info);

/// "error: LINE" on stderr; the word in color on a terminal, unless NO_COLOR is set.
void print_finding(Severity severity, std::string_view line);

/// A note is LogLevel::info.
LogLevel level_of(Severity severity);

/// JSON as it is, but for characters that a terminal would act on: these are escaped as JSON has
/// it. A line end is added where there is none.
void print_json(std::FILE* stream, std::string_view json);

/// Text or bytes that are for a program, or whose parts have been escaped before: a schema, XML,
/// TOML, zero-separated names, a PNG, workflow commands. Written as they are.
void print_verbatim(std::FILE* stream, std::string_view text);

/// The last line of a terminal on stderr, overwritten by each call and cut to the terminal's width.
/// Any other print removes it first. Empty: removes it.
void print_status(std::string_view line);

/// In a forked process whose stderr is another: what stands on the terminal is no longer ours.
void forget_status();

/// Columns of the terminal: COLUMNS, else what the stream's terminal says, else 80.
std::size_t terminal_width(std::FILE* stream);

}  // namespace gvbind
