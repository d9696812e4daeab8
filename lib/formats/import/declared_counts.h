#pragma once

// Tested by tests/unit/formats/import/damaged_test.cpp.

#include <cstdint>
#include <string>
#include <string_view>

namespace gvbind {

/// A PLY or OFF says in its first lines how much follows, and Assimp works for as much. What is
/// wrong where the file is too short for that; empty where it is not, or of another format.
/// `start`: the file's first bytes; `size`: of the whole file.
std::string false_count(std::string_view extension, std::string_view start, std::uint64_t size);

}  // namespace gvbind
