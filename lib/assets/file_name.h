#pragma once

#include <string>

namespace gvbind {

/// `stem` + `ending`, in at most as many bytes as a file name may have. A stem too long for that is
/// cut at a character, and ends in "~" and a hash of the whole stem instead.
std::string fitting_name(const std::string& stem, const std::string& ending);

}  // namespace gvbind
