#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gvbind {

/// mend_utf8() with an underscore for each control character. For names that are stored;
/// printable() loses less.
std::string clean_name(std::string_view text);

/// Lowers A to Z only.
std::string lower_case(std::string_view text);

/// Lower case according to the C library. Names with equal results are the same file on
/// case-insensitive disks.
std::string fold_case(const std::string& text);

/// One line of valid UTF-8 that is safe to print on a terminal or in a CI log, whatever names it
/// quotes. Escapes control characters, invalid bytes, line separators and bidirectional marks:
/// "\n", "\x1b", "\u202e"; and sequences that CI servers interpret as commands: "::" at the start,
/// "##[", "##vso[" and "##teamcity[". Idempotent.
std::string printable(std::string_view text);

/// printable() with runs of blanks and line ends replaced by one space, trimmed.
std::string one_line(std::string_view text);

/// JSON that is safe to print: replaces everything that printable() escapes by "\u....", which
/// leaves its meaning unchanged. `json`: valid JSON in UTF-8.
std::string printable_json(std::string_view json);

/// "12,034".
std::string grouped(std::size_t number);

/// "1 vertex", "12,034 vertices".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

/// With this many significant digits, like printf's %g.
std::string significant(double value, int digits);

/// With this many digits after the point.
std::string fixed(double value, int digits);

/// The shortest text that reads back as the same number.
std::string exact(double value);

/// "12 MiB", rounded down.
std::string mebibytes(std::uint64_t bytes);

}  // namespace gvbind
