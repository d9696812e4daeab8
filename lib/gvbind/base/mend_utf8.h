#pragma once

// Tested by tests/unit/gvbind/utf8_test.cpp.

#include <cstddef>
#include <string>
#include <string_view>

namespace gvbind {

/// Where the first byte is that is not UTF-8; npos: nowhere.
std::size_t find_bad_utf8(std::string_view text);

/// Valid UTF-8: each byte that offends becomes the character that Latin-1 has for it. What a file
/// calls things goes through it once, where the file is read.
std::string mend_utf8(std::string text);

}  // namespace gvbind
