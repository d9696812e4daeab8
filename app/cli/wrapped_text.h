#pragma once

// Tested by tests/app/help_test.py.

#include <string>
#include <string_view>

namespace gvbind {

/// The text in lines of at most `width` columns, broken at blanks; line ends in the text are kept.
/// Lines after the first begin with `indent` blanks. A longer word gets a line of its own. No line
/// end after the last line.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// `left`, padded to `column`, and beside it `right`, wrapped; `right` begins on a line of its own
/// where `left` is too long. Ends with a line end.
std::string two_columns(const std::string& left, const std::string& right, std::size_t column,
                        std::size_t width);

}  // namespace gvbind
