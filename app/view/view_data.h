#pragma once

// Tested by tests/command/view_test.py.

#include <cstdint>
#include <string>
#include <vector>

#include "character/match_skin.h"
#include "view/view_input.h"

namespace gvbind {

/// Another skin of the same shape, to be shown beside the file's own.
struct ViewComparison {
  std::string name;
  SkinMatch match;
};

/// The data of a page: a length (32 bits, little-endian), JSON of that many bytes, padding to four
/// bytes, then the sections that the JSON names by offset and length after it. `app/view/data.js`
/// reads it. Distances and places in the JSON are in the world space of the glTF.
std::vector<std::uint8_t> view_data(const ViewInput& input, const ViewComparison* other);

}  // namespace gvbind
