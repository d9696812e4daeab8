#pragma once

#include <string>

namespace gvbind::test {

/// Reports why a test case cannot run here; the case should then return. If nothing was asserted,
/// the program exits with 77, which ctest counts as a skip: Catch2 2 cannot skip tests.
void skip(const std::string& why);

}  // namespace gvbind::test
