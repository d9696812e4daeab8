#include "motion/cubic.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace gvbind {
namespace {

double value(const std::array<double, 4>& c, double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

/// The sign change nearest to zero, by a search in small steps.
std::optional<double> searched(const std::array<double, 4>& c, double reach) {
  constexpr int steps = 40000;
  for (int i = 1; i <= steps; ++i)
    for (const double side : {1.0, -1.0}) {
      double low = side * reach * (i - 1) / steps, high = side * reach * i / steps;
      if ((value(c, low) < 0.0) == (value(c, high) < 0.0)) continue;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (low + high);
        ((value(c, low) < 0.0) == (value(c, middle) < 0.0) ? low : high) = middle;
      }
      return low;
    }
  return std::nullopt;
}

TEST_CASE("the smallest root is that which a search finds") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    const std::array<double, 4> c = {uniform(random), 2.0 * uniform(random), uniform(random),
                                     uniform(random)};
    const auto expected = searched(c, 4.0);
    if (!expected) continue;
    const auto root = motion::smallest_root(c);
    REQUIRE(root);
    CAPTURE(c[0], c[1], c[2], c[3]);
    // Two roots of opposite sign and nearly equal magnitude may swap.
    CHECK(std::abs(std::abs(*root) - std::abs(*expected)) < 2e-4);
    CHECK(std::abs(value(c, *root)) < 1e-12);
    ++found;
  }
  CHECK(found > 300);
}

TEST_CASE("terms that hardly count do not spoil the small root") {
  for (const double small : {1e-3, 1e-9, 1e-18, 1e-30})
    for (const std::array<double, 4>& c : {std::array<double, 4>{-2e-6, 3.0, small, -small},
                                           {-2e-6, 3.0, 5.0, small},
                                           {small, 1.0, 1.0, 1.0},
                                           {-2e-6, 3.0, 0.0, 0.0}}) {
      const auto root = motion::smallest_root(c);
      REQUIRE(root);
      CHECK(*root == Approx(-c[0] / c[1]).epsilon(1e-2));
      CHECK(std::abs(value(c, *root)) <= 1e-15 * std::max(std::abs(c[0]), 1e-3));
    }
}

TEST_CASE("where there is no real root none is given") {
  CHECK(motion::smallest_root({0.0, 1.0, 2.0, 3.0}) == 0.0);
  CHECK_FALSE(motion::smallest_root({1.0, 0.0, 0.0, 0.0}));
  CHECK_FALSE(motion::smallest_root({1.0, 0.0, 1.0, 0.0}));
  CHECK(*motion::smallest_root({-8.0, 0.0, 0.0, 1.0}) == Approx(2.0));
  CHECK(*motion::smallest_root({4.0, -4.0, 1.0, 0.0}) == Approx(2.0));
}

}  // namespace
}  // namespace gvbind
