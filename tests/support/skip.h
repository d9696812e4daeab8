#pragma once

#include <string>

namespace gvbind::test {

/// Says why a test case cannot run here; return from it then. Where nothing was asserted the
/// program ends with 77, which ctest counts as a skip: Catch2 2 has none of its own.
void skip(const std::string& why);

}  // namespace gvbind::test
