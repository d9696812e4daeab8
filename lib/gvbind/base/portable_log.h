#pragma once

// Tested by tests/gvbind/fitted_weights_test.cpp.

#include <bit>
#include <cstdint>

namespace gvbind {

/// The natural logarithm of a positive normal number, to 1e-9. Plain arithmetic in a fixed order:
/// the same bits on every machine, which no math library promises.
inline double portable_log(double x) {
  constexpr double ln2 = 0.69314718055994530942, root2 = 1.41421356237309504880;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  if (m > root2) {
    m *= 0.5;
    ++exponent;
  }
  // ln m = 2 atanh(s)
  const double s = (m - 1.0) / (m + 1.0), q = s * s;
  const double series =
      1.0 + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q / 11.0))));
  return exponent * ln2 + 2.0 * s * series;
}

}  // namespace gvbind
