#pragma once

// Tested by tests/unit/formats/import/damaged_test.cpp.

#include <cstdint>
#include <string>
#include <string_view>

namespace gvbind {

/// The header of a PLY or OFF declares the number of elements, and Assimp takes time and memory for
/// all of them. Returns a message if the file is too short for its declared counts; empty for a
/// valid file or another format. `start`: the file's first bytes; `size`: of the whole file.
std::string false_count(std::string_view extension, std::string_view start, std::uint64_t size);

}  // namespace gvbind
