#pragma once

// Tested by tests/unit/character/selection_test.cpp.

#include <string_view>

namespace gvbind {

/// Shell-style: * any run, ? one UTF-8 character, [a-z] a class, [!a-z] or [^a-z] its complement; a
/// [ without ] is literal. \ quotes the next character. Must match the whole text.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace gvbind
