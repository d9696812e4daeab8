#pragma once

// Tested by tests/unit/gvbind/utf8_test.cpp.

#include <cstddef>
#include <string>
#include <string_view>

namespace gvbind {

/// Offset of the first byte that is not UTF-8; npos: none.
std::size_t find_bad_utf8(std::string_view text);

/// Makes a text valid UTF-8: each invalid byte becomes its Latin-1 character. Names of a file are
/// converted once, when they are read.
std::string mend_utf8(std::string text);

}  // namespace gvbind
