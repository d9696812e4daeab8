#pragma once

// Tested by tests/batch/batch_values_test.cpp.

#include <string>
#include <string_view>

namespace gvbind {

/// Whether the text holds *, ? or [, and so may be meant as a pattern.
bool has_wildcards(std::string_view text);

/// Whether the pattern matches the whole path. Both are split at '/': a part of the pattern matches
/// a part of the path as matches_glob (assets/selection.h) does, and ** matches any number of
/// parts, none too. In linear space, and in time that no pattern can blow up.
bool matches_path(std::string_view pattern, std::string_view path);

/// As matches_path, but a pattern without '/' matches the file's name in any directory.
bool matches_rule(std::string_view pattern, std::string_view path);

struct SplitGlob {
  std::string base;     ///< the directories before the first wildcard; empty: the working directory
  std::string pattern;  ///< the rest
};
SplitGlob split_glob(std::string_view glob);

}  // namespace gvbind
