#pragma once

#include <string>
#include <vector>

namespace gvbind {

/// "; did you mean 'NAME'?" for the known name that is nearest by edit distance, or nothing where
/// none is near.
std::string nearest_name_hint(const std::string& name, const std::vector<std::string>& known);

/// Throws Error(usage): "--leaf: 'surfac' is not one of extend, ignore, point, surface; did you
/// mean 'surface'?".
[[noreturn]] void refuse_choice(const std::string& flag, const std::string& text,
                                const std::vector<std::string>& known);

}  // namespace gvbind
