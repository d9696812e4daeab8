#pragma once

// Tested by tests/unit/motion/cubic_test.cpp.

#include <array>
#include <optional>

namespace gvbind::motion {

/// The real root of c[0] + c[1] x + c[2] x^2 + c[3] x^3 with the smallest magnitude (von Funck et
/// al. 2008, eq. 3), up to rounding. None without a real root.
std::optional<double> smallest_root(const std::array<double, 4>& c);

}  // namespace gvbind::motion
