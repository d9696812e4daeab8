#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gvbind {

/// mend_utf8() with an underscore for each control character. For names that are kept; printable()
/// shows more.
std::string clean_name(std::string_view text);

/// A to Z in lower case, and no other letter.
std::string lower_case(std::string_view text);

/// In lower case, as far as the C library knows it: two names that come out the same are one file
/// on disks that take no notice of case.
std::string fold_case(const std::string& text);

/// One line of valid UTF-8 that a terminal or the log of a CI server shows as it is, whatever names
/// it quotes. Control characters, bytes that are not UTF-8, line separators and marks that reorder
/// text become escapes: "\n", "\x1b", "\u202e". So do the openings of commands that CI servers
/// find in their logs: "::" at the start, "##[", "##vso[" and "##teamcity[". Applying it twice
/// changes nothing.
std::string printable(std::string_view text);

/// printable() with runs of blanks and line ends as one space each, none at the ends.
std::string one_line(std::string_view text);

/// JSON whose strings a terminal shows as they are: what printable() escapes becomes "\u...." as
/// JSON has it, so its meaning is the same. `json` is valid JSON in UTF-8.
std::string printable_json(std::string_view json);

/// "12,034".
std::string grouped(std::size_t number);

/// "1 vertex", "12,034 vertices".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

/// With so many significant digits, as printf's %g has it.
std::string significant(double value, int digits);

/// With so many digits after the point.
std::string fixed(double value, int digits);

/// The shortest text that reads back as the same number.
std::string exact(double value);

/// "12 MiB", rounded down.
std::string mebibytes(std::uint64_t bytes);

}  // namespace gvbind
