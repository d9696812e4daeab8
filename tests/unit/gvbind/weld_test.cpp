#include "gvbind/base/weld.h"

#include <Eigen/Core>
#include <catch2/catch.hpp>
#include <limits>

using namespace gvbind;

TEST_CASE("points at one position are the first of them, and those without one are alone") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Eigen::Vector3d> points = {{0.0, 1.0, 2.0},  {0.0, 2.0, 1.0},  {-0.0, 1.0, 2.0},
                                               {none, 0.0, 0.0}, {none, 0.0, 0.0}, {0.0, 1.0, 2.0},
                                               {0.0, 2.0, 1.0}};
  CHECK(welded<Eigen::Vector3d>(points) == std::vector<std::uint32_t>{0, 1, 0, 3, 4, 0, 1});
  const std::vector<Eigen::Vector3i> lattice = {{-1, 0, 0}, {0, -1, 0}, {-1, 0, 0}, {0, 0, -1}};
  CHECK(welded<Eigen::Vector3i>(lattice) == std::vector<std::uint32_t>{0, 1, 0, 3});
}
