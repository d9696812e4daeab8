#pragma once

// Tested by tests/unit/gvbind/falloff_curve_test.cpp.

#include <bit>
#include <cstdint>
#include <initializer_list>

#include "gvbind/base/portable_log.h"

namespace gvbind {

/// Power of a positive normal number with a relative error of |power ln x| 2^-51; 0 below 1e-300.
/// Plain arithmetic in a fixed order gives the same bits on every machine. Math libraries select a
/// pow by processor, and these differ in the last bits.
inline double portable_pow(double x, double power) {
  constexpr double ln2 = 0.69314718055994530942, ln2_high = 0x1.62e42fefap-1,
                   ln2_low = 0x1.cf79abc9e3b39p-40;
  const auto [m, exponent] = split_at_root2(x);
  // ln m = 2 atanh(s)
  const double s = (m - 1.0) / (m + 1.0), q = s * s;
  double series = 0.0;
  for (const double term : {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                            1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3})
    series = (series + term) * q;
  const double ln_x = exponent * ln2 + (2.0 * s + 2.0 * s * series);

  const double y = power * ln_x;
  if (!(y > -690.0)) return 0.0;
  // y = n ln 2 + r with |r| <= ln 2 / 2; adding 1.5 * 2^52 rounds to an integer.
  constexpr double rounder = 6755399441055744.0;
  const double n = (y / ln2 + rounder) - rounder;
  const double r = (y - n * ln2_high) - n * ln2_low;
  double e = 1.0 / 6227020800.0;
  for (const double term :
       {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0,
        1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0})
    e = e * r + term;
  return e * std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<int>(n) + 1023) << 52);
}

}  // namespace gvbind
