#include "gvbind/base/utf8.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace gvbind;

TEST_CASE("numbers are printed with as many digits as are asked for") {
  CHECK(significant(0.123456, 3) == "0.123");
  CHECK(significant(120.0, 3) == "120");
  CHECK(fixed(1.5, 2) == "1.50");
  CHECK(fixed(0.0, 0) == "0");
}

TEST_CASE("exact numbers read back as they were") {
  for (const double value : {0.1, 1.0 / 3.0, 1e300, -2.5, std::numeric_limits<double>::min()})
    CHECK(std::stod(exact(value)) == value);
}
