#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gvbind::fuzz {

/// A box with two joints as an .obj with the text of its rig, and as arrays with each form of
/// weights.
std::vector<std::pair<std::string, std::vector<std::uint8_t>>> score_seeds();

}  // namespace gvbind::fuzz
