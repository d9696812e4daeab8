#include "check/numpy_random.h"

#include <bit>
#include <cmath>

namespace gvbind::check {

namespace {

constexpr long double exact_tail_start = 3.6541528853610087963519472518L;
constexpr double tail_start = static_cast<double>(exact_tail_start);
constexpr long double fraction = 0x1p52L;

/// O'Neill's seed sequence, for a seed of one word.
std::array<std::uint64_t, 4> seed_words(std::uint32_t seed) {
  constexpr std::uint32_t shift = 16;
  std::uint32_t constant = 0x43b0d7e5u;
  const auto mixed_in = [&constant](std::uint32_t value) {
    value ^= constant;
    constant *= 0x931e8875u;
    value *= constant;
    return value ^ value >> shift;
  };
  std::array<std::uint32_t, 4> pool{};
  for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = mixed_in(i == 0 ? seed : 0);
  for (std::size_t from = 0; from < pool.size(); ++from)
    for (std::size_t to = 0; to < pool.size(); ++to) {
      if (from == to) continue;
      const std::uint32_t mix = 0xca01f9ddu * pool[to] - 0x4973f715u * mixed_in(pool[from]);
      pool[to] = mix ^ mix >> shift;
    }
  std::array<std::uint64_t, 4> words{};
  std::uint32_t out = 0x8b51f9ddu;
  for (std::size_t i = 0; i < 2 * words.size(); ++i) {
    std::uint32_t value = pool[i % pool.size()] ^ out;
    out *= 0x58f38dedu;
    value *= out;
    value ^= value >> shift;
    words[i / 2] |= std::uint64_t{value} << (i % 2 * 32);
  }
  return words;
}

}  // namespace

NumpyRandom::NumpyRandom(std::uint32_t seed) {
  const std::array<std::uint64_t, 4> words = seed_words(seed);
  const auto wide = [](std::uint64_t high, std::uint64_t low) { return State{high} << 64 | low; };
  increment_ = wide(words[2], words[3]) << 1 | 1;
  next();
  state_ += wide(words[0], words[1]);
  next();
  make_tables();
}

std::uint64_t NumpyRandom::next() {
  constexpr State multiplier = State{0x2360ed051fc65da4u} << 64 | 0x4385df649fccf645u;
  state_ = state_ * multiplier + increment_;
  const auto high = static_cast<std::uint64_t>(state_ >> 64);
  return std::rotr(high ^ static_cast<std::uint64_t>(state_), static_cast<int>(high >> 58));
}

double NumpyRandom::next_unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double NumpyRandom::uniform(double low, double high) { return low + (high - low) * next_unit(); }

/// Marsaglia and Tsang, "The ziggurat method for generating random variables", 2000. In long
/// double, since the last digits of a layer come from all below it.
void NumpyRandom::make_tables() {
  const auto bell = [](long double y) { return std::exp(-0.5L * y * y); };
  long double x = exact_tail_start, height = bell(x);
  const long double area = x * height + std::sqrt(std::acos(0.0L)) * std::erfc(x / std::sqrt(2.0L));
  const auto set = [this](std::size_t layer, long double width, long double top) {
    width_[layer] = static_cast<double>(width / fraction);
    height_[layer] = static_cast<double>(top);
  };
  set(layers - 1, x, height);
  set(0, area / height, 1.0L);
  inside_[0] = static_cast<std::uint64_t>(x * height / area * fraction);
  for (std::size_t i = layers - 2; i > 0; --i) {
    const long double wider = x;
    x = std::sqrt(-2.0L * std::log(area / wider + height));
    height = bell(x);
    inside_[i + 1] = static_cast<std::uint64_t>(x / wider * fraction);
    set(i, x, height);
  }
  inside_[1] = 0;
}

double NumpyRandom::normal() {
  for (;;) {
    const std::uint64_t bits = next();
    const std::size_t layer = bits & (layers - 1);
    const bool negative = (bits >> 8 & 1) != 0;
    const std::uint64_t part = bits >> 9 & 0x000fffffffffffffu;
    const double size = static_cast<double>(part) * width_[layer];
    const double x = negative ? -size : size;
    if (part < inside_[layer]) return x;
    if (layer > 0) {
      const double least = height_[layer];
      if ((height_[layer - 1] - least) * next_unit() + least < std::exp(-0.5 * x * x)) return x;
      continue;
    }
    for (;;) {
      const double beyond = -std::log1p(-next_unit()) / tail_start;
      const double limit = -std::log1p(-next_unit());
      if (limit + limit <= beyond * beyond) continue;
      return (part >> 8 & 1) != 0 ? -(tail_start + beyond) : tail_start + beyond;
    }
  }
}

}  // namespace gvbind::check
