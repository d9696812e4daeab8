#pragma once

// Tested by tests/unit/check/skin_score_test.cpp.

#include <array>
#include <cstddef>
#include <cstdint>

namespace gvbind::check {

/// The draws of numpy.random.default_rng(seed): PCG64 seeded by SeedSequence, normal numbers by the
/// ziggurat. Scripts that measure skins use it, and their figures can so be repeated.
class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed);

  double uniform(double low, double high);
  double normal();  ///< mean 0, deviation 1

 private:
  static constexpr std::size_t layers = 256;

  std::uint64_t next();
  double next_unit();
  void make_tables();

  __extension__ typedef unsigned __int128 State;
  State state_ = 0, increment_ = 0;
  std::array<std::uint64_t, layers> inside_{};  ///< of 2^52: below, a draw lies in its layer
  std::array<double, layers> width_{}, height_{};
};

}  // namespace gvbind::check
