#pragma once

// Tested by tests/command/escaping_test.py.

#include <cstdio>
#include <string_view>

#include "gvbind/finding.h"
#include "log/event_log.h"

namespace gvbind {

// Everything that the command prints goes through these functions. Names in files then cannot move
// the cursor of a terminal, forge a line or send a command to a CI server, and lines stay whole
// when stdout and stderr are the same stream.

/// Prints a line escaped by printable(). It is flushed at once, after pending output of the other
/// stream. Results go to stdout, everything else to stderr.
void print_line(std::FILE* stream, std::string_view line, LogLevel level = LogLevel::info);

/// "error: LINE" on stderr; the word in color on a terminal, unless NO_COLOR is set.
void print_finding(Severity severity, std::string_view line);

/// From now on print_line, print_finding and print_status leave out all below LogLevel::error.
void print_only_errors();

/// LogLevel::info for a note.
LogLevel level_of(Severity severity);

/// Prints JSON; characters that a terminal would interpret become JSON escapes. Adds a missing line
/// end.
void print_json(std::FILE* stream, std::string_view json);

/// Prints text or bytes unchanged, for programs or with parts that are already escaped: a schema,
/// XML, TOML, zero-separated names, a PNG, workflow commands.
void print_verbatim(std::FILE* stream, std::string_view text);

/// A status line at the bottom of a terminal on stderr, cut to its width. Each call overwrites it,
/// and any other print removes it first. Empty: removes it.
void print_status(std::string_view line);

/// For a forked process with another stderr: the status line on the terminal belongs to the parent.
void forget_status();

/// Columns of the terminal: COLUMNS, else as the terminal reports, else 80.
std::size_t terminal_width(std::FILE* stream);

}  // namespace gvbind
