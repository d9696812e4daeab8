#pragma once

// Tested by tests/unit/character/selection_test.cpp.

#include <string_view>

namespace gvbind {

/// Shell-style: * any run, ? one character (of UTF-8), [a-z] a class, [!a-z] or [^a-z] its
/// complement, \ takes the next character as it is; a [ without ] stands for itself. The whole text
/// must match.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace gvbind
