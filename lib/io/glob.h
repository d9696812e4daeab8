#pragma once

// Tested by tests/unit/character/selection_test.cpp.

#include <string_view>

namespace gvbind {

/// Shell-style: * any run, ? one UTF-8 character, [a-z] a class, [!a-z] or [^a-z] its complement; a
/// [ without ] is literal. \ quotes the next character. Must match the whole text.
bool matches_glob(std::string_view pattern, std::string_view text);

/// Whether it is the name itself, which may hold brackets ("hat [1]"), or a glob for it.
inline bool matches_name(std::string_view pattern, std::string_view name) {
  return pattern == name || matches_glob(pattern, name);
}

}  // namespace gvbind
