#include "motion/cubic.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gvbind::motion {

namespace {

constexpr double negligible = 1e-14;  ///< relative size below which a leading term is ignored
constexpr int newton_steps = 12;

double value(const std::array<double, 4>& c, double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

double magnitude(const std::array<double, 4>& c, double x) {
  const double a = std::abs(x);
  return std::abs(c[0]) + a * (std::abs(c[1]) + a * (std::abs(c[2]) + a * std::abs(c[3])));
}

double polished(const std::array<double, 4>& c, double x) {
  for (int step = 0; step < newton_steps; ++step) {
    const double slope = c[1] + x * (2.0 * c[2] + 3.0 * x * c[3]);
    const double next = x - value(c, x) / slope;
    if (!std::isfinite(next) || std::abs(value(c, next)) >= std::abs(value(c, x))) break;
    x = next;
  }
  return x;
}

void add_quadratic(double a, double b, double c, std::vector<double>& roots) {
  const double inside = b * b - 4.0 * a * c;
  if (inside < 0.0) return;
  const double q = -0.5 * (b + std::copysign(std::sqrt(inside), b));
  roots.push_back(q / a);
  roots.push_back(q == 0.0 ? 0.0 : c / q);
}

/// Cardano's formula, or Viete's cosines if all three roots are real.
void add_cubic(const std::array<double, 4>& c, std::vector<double>& roots) {
  const double a = c[2] / c[3], b = c[1] / c[3], d = c[0] / c[3];
  const double q = (a * a - 3.0 * b) / 9.0;
  const double r = (2.0 * a * a * a - 9.0 * a * b + 27.0 * d) / 54.0;
  if (r * r < q * q * q) {
    const double angle = std::acos(std::clamp(r / std::sqrt(q * q * q), -1.0, 1.0));
    for (int k = -1; k <= 1; ++k)
      roots.push_back(-2.0 * std::sqrt(q) * std::cos((angle + 2.0 * M_PI * k) / 3.0) - a / 3.0);
    return;
  }
  const double s = -std::copysign(std::cbrt(std::abs(r) + std::sqrt(r * r - q * q * q)), r);
  roots.push_back(s + (s == 0.0 ? 0.0 : q / s) - a / 3.0);
  roots.push_back(-0.5 * (s + (s == 0.0 ? 0.0 : q / s)) - a / 3.0);  // double root
}

}  // namespace

std::optional<double> smallest_root(const std::array<double, 4>& c) {
  if (c[0] == 0.0) return 0.0;
  // The closed forms lose small roots if higher terms are negligible, so the formulas of lower
  // degrees are tried too. Candidates that Newton steps do not turn into a root are discarded.
  std::vector<double> roots;
  if (c[1] != 0.0) roots.push_back(-c[0] / c[1]);
  if (c[2] != 0.0) add_quadratic(c[2], c[1], c[0], roots);
  if (c[3] != 0.0) add_cubic(c, roots);
  std::optional<double> best;
  for (const double start : roots) {
    if (!std::isfinite(start)) continue;
    const double x = polished(c, start);
    if (std::abs(value(c, x)) > 1e3 * negligible * magnitude(c, x)) continue;
    if (!best || std::abs(x) < std::abs(*best)) best = x;
  }
  return best;
}

}  // namespace gvbind::motion
