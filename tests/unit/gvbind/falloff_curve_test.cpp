#include "gvbind/weights/falloff_curve.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "gvbind/base/portable_pow.h"

using namespace gvbind;

namespace {

Falloff falloff_with(double alpha, FalloffRule rule) {
  Falloff falloff;
  falloff.alpha = alpha;
  falloff.rule = rule;
  return falloff;
}

}  // namespace

TEST_CASE("a power of our own is that of the library to its last bits") {
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double x = std::exp2(20.0 * i / 20000.0 - 10.0);
    for (const double power : {-30.0, -12.5, -5.0, 0.15, 1.0}) {
      const double exact = std::pow(x, power);
      const double bound = 0x1p-51 * (1.0 + std::abs(power * std::log(x)));
      worst = std::max(worst, std::abs(portable_pow(x, power) - exact) / exact / bound);
    }
  }
  CHECK(worst < 1.0);
  CHECK(portable_pow(1.0, -30.0) == 1.0);
  CHECK(portable_pow(1e300, -5.0) == 0.0);
}

TEST_CASE("shares are equation 9, or the note's function of sides of the box") {
  // The cube has 2^20 lattice steps per side, the box in it 2^20 - 2^13.
  const double box = 1048576.0 / (1048576.0 - 8192.0);
  for (const double alpha : {0.0, 0.3, 1.0})
    for (const double d : {0.01, 0.1, 0.5, 1.0}) {
      const FalloffCurve paper(falloff_with(alpha, FalloffRule::paper));
      CHECK(paper.share(d, 0.01, 0) ==
            Approx(std::pow(d, -5.0 - 25.0 * alpha) / std::pow(0.01, -5.0 - 25.0 * alpha)));
      const auto note = [&](double x) {
        return 1.0 / std::pow((1.0 - alpha) * x * box + alpha * std::pow(x * box, 2.0), 2.0);
      };
      const FalloffCurve curve(falloff_with(alpha, FalloffRule::note));
      CHECK(curve.share(d, 0.01, 0) == Approx(note(d) / note(0.01)));
    }
}

TEST_CASE("every curve is one at the nearest joint, finite at none, and falls") {
  for (const FalloffRule rule : {FalloffRule::paper, FalloffRule::note})
    for (const double alpha : {0.0, 0.4, 1.0}) {
      const FalloffCurve curve(falloff_with(alpha, rule));
      CHECK(curve.share(0.0, 0.0, 0) == 1.0);
      CHECK(curve.share(0.2, 0.2, 0) == 1.0);
      double before = 1.0;
      for (double d = 0.02; d < 1.5; d += 0.01) {
        const double share = curve.share(d, 0.01, 0);
        CHECK(share < before);
        CHECK(share >= 0.0);
        before = share;
      }
    }
}

TEST_CASE("joints with an alpha of their own have it, the last that is given") {
  Falloff falloff = falloff_with(0.4, FalloffRule::paper);
  CHECK(FalloffCurve(falloff).is_uniform());
  falloff.joint_alphas = {{{1, 3}, 0.9}, {{3}, 0.0}};
  const FalloffCurve curve(falloff);
  CHECK_FALSE(curve.is_uniform());
  CHECK(curve.alpha(0) == 0.4);
  CHECK(curve.alpha(1) == 0.9);
  CHECK(curve.alpha(3) == 0.0);
  CHECK(curve.alpha(70000) == 0.4);
  CHECK(curve.share(0.2, 0.1, 1) < curve.share(0.2, 0.1, 0));
  CHECK(curve.share(0.2, 0.1, 3) > curve.share(0.2, 0.1, 0));
}
