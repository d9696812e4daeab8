#include "gvbind/version.h"

#include <catch2/catch.hpp>
#include <string>

TEST_CASE("the library says the version of its headers") {
  CHECK(gvbind::version() == std::to_string(GVBIND_VERSION_MAJOR) + "." +
                                 std::to_string(GVBIND_VERSION_MINOR) + "." +
                                 std::to_string(GVBIND_VERSION_PATCH));
}
