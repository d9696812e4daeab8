#pragma once

#include <string>
#include <string_view>

namespace gvbind {

/// Valid UTF-8 without control characters: each byte that offends becomes an underscore.
std::string clean_name(std::string_view text);

/// clean_name with runs of blanks and line ends as one space each, none at the ends.
std::string one_line(std::string_view text);

}  // namespace gvbind
