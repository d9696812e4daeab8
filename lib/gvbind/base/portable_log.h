#pragma once

// Tested by tests/unit/gvbind/fitted_weights_test.cpp.

#include <bit>
#include <cstdint>

namespace gvbind {

/// A positive normal number as m * 2^exponent, sqrt(1/2) <= m < sqrt(2).
struct BinarySplit {
  double m;
  int exponent;
};
inline BinarySplit split_at_root2(double x) {
  constexpr double root2 = 1.41421356237309504880;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const double m = std::bit_cast<double>((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  return m > root2 ? BinarySplit{0.5 * m, exponent + 1} : BinarySplit{m, exponent};
}

/// Natural logarithm of a positive normal number, to 1e-9. Plain arithmetic in a fixed order gives
/// the same bits on every machine; math libraries do not.
inline double portable_log(double x) {
  constexpr double ln2 = 0.69314718055994530942;
  const auto [m, exponent] = split_at_root2(x);
  // ln m = 2 atanh(s)
  const double s = (m - 1.0) / (m + 1.0), q = s * s;
  const double series =
      1.0 + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q / 11.0))));
  return exponent * ln2 + 2.0 * s * series;
}

}  // namespace gvbind
