#include "gvbind/fitted/pair_network.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gvbind/error.h"
#include "gvbind/fitted/pair_kernel.h"

namespace gvbind {

namespace {

using PartSizes = std::array<std::size_t, network_part_count>;

std::size_t round_up(std::size_t count, std::size_t step) {
  return (count + step - 1) / step * step;
}

PartSizes part_sizes(std::size_t features, std::size_t hidden) {
  const std::size_t square = hidden * hidden;
  return {features, features, hidden * features, hidden, square, hidden, square, square, square,
          hidden,   hidden,   features};
}

template <typename Network>
auto members_of(Network& n) {
  return std::array{&n.mean, &n.scale, &n.first, &n.first_bias, &n.second, &n.second_bias,
                    &n.own,  &n.near,  &n.most,  &n.third_bias, &n.last,   &n.linear};
}

template <typename Span, typename Network>
auto spans_of(Network& network) {
  std::array<Span, network_part_count> spans;
  std::ranges::transform(members_of(network), spans.begin(),
                         [](auto* part) { return Span(*part); });
  return spans;
}

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

auto kernel_of(PairKernel kernel) {
  if (kernel == PairKernel::avx2 && !has_avx2())
    throw Error(ErrorKind::resource, "this machine has no AVX2 instructions");
#if defined(__x86_64__)
  if (kernel != PairKernel::base && has_avx2()) return &score_pairs_avx2;
#endif
  return &score_pairs_base;
}

/// From `rows` rows of `columns` numbers to `padded_columns` rows of `padded_rows` numbers.
void transpose(std::span<const float> from, std::size_t rows, std::size_t columns,
               std::size_t padded_rows, float* to) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) to[c * padded_rows + r] = from[r * columns + c];
}

}  // namespace

PairNetwork make_network(std::size_t features, std::size_t hidden) {
  PairNetwork network;
  network.features = features;
  network.hidden = hidden;
  const PartSizes sizes = part_sizes(features, hidden);
  const auto members = members_of(network);
  for (std::size_t i = 0; i < sizes.size(); ++i) members[i]->assign(sizes[i], 0.0f);
  return network;
}

std::array<std::span<float>, network_part_count> parts_of(PairNetwork& network) {
  return spans_of<std::span<float>>(network);
}

std::array<std::span<const float>, network_part_count> parts_of(const PairNetwork& network) {
  return spans_of<std::span<const float>>(network);
}

std::size_t number_count(std::size_t features, std::size_t hidden) {
  std::size_t count = 0;
  for (const std::size_t size : part_sizes(features, hidden)) count += size;
  return count;
}

FittedNetworks networks_of_steps(std::size_t features, std::size_t hidden, std::size_t count,
                                 std::span<const int> steps) {
  if (steps.size() != count * number_count(features, hidden))
    throw Error(ErrorKind::internal, "numbers that are not those of a network");
  FittedNetworks fitted = {std::vector<PairNetwork>(count, make_network(features, hidden))};
  auto step = steps.begin();
  for (PairNetwork& network : fitted.networks)
    for (const std::span<float> part : parts_of(network))
      for (float& number : part) number = static_cast<float>(*step++) * network_step;
  return fitted;
}

PairScorer::Prepared PairScorer::prepare(const PairNetwork& network) {
  Prepared made;
  made.features = network.features;
  made.padded_features = round_up(network.features, lane_tile);
  made.padded_hidden = round_up(network.hidden, lane_tile);
  if (network.features == 0 || network.features > max_pair_features || network.hidden == 0 ||
      network.hidden > max_hidden)
    throw Error(ErrorKind::internal, "a network of a size that has no kernel");
  const PartSizes sizes = part_sizes(network.features, network.hidden);
  const PartSizes padded = part_sizes(made.padded_features, made.padded_hidden);
  for (std::size_t i = 0, at = 0; i < padded.size(); at += padded[i++]) made.start[i] = at;
  made.numbers.assign(number_count(made.padded_features, made.padded_hidden), 0.0f);
  const auto parts = parts_of(network);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].size() != sizes[i])
      throw Error(ErrorKind::internal, "a network whose parts do not fit together");
    const std::size_t columns = sizes[i] / network.hidden;
    const bool is_matrix = i == 2 || i == 4 || (i >= 6 && i <= 8);
    float* const to = made.numbers.data() + made.start[i];
    if (is_matrix)
      transpose(parts[i], network.hidden, columns, made.padded_hidden, to);
    else
      std::ranges::copy(parts[i], to);
  }
  return made;
}

PairScorer::PairScorer(const PairNetwork& network, PairKernel kernel)
    : kernel_(kernel_of(kernel)), networks_{prepare(network)} {}

PairScorer::PairScorer(const FittedNetworks& fitted, PairKernel kernel)
    : kernel_(kernel_of(kernel)) {
  if (fitted.networks.empty() || fitted.networks.size() > max_networks)
    throw Error(ErrorKind::internal, "a number of networks that cannot be evaluated");
  for (const PairNetwork& network : fitted.networks) {
    networks_.push_back(prepare(network));
    if (network.features != features())
      throw Error(ErrorKind::internal, "networks of different features");
  }
}

void PairScorer::score(std::span<const float> features, std::span<float> scores) const {
  if (scores.size() > max_pairs || features.size() != scores.size() * this->features())
    throw Error(ErrorKind::internal, "pairs that do not fit the network");
  if (scores.empty()) return;
  score_by(networks_.front(), features, scores);
  if (networks_.size() == 1) return;
  float more[max_pairs];
  const std::span<float> others(more, scores.size());
  for (std::size_t n = 1; n < networks_.size(); ++n) {
    score_by(networks_[n], features, others);
    for (std::size_t p = 0; p < scores.size(); ++p) scores[p] += others[p];
  }
  for (float& score : scores) score /= static_cast<float>(networks_.size());
}

void PairScorer::score_by(const Prepared& network, std::span<const float> features,
                          std::span<float> scores) const {
  const std::size_t count = scores.size();
  alignas(32) float x[max_pairs * max_pair_features];
  const std::size_t rows = round_up(count, pair_tile);
  std::fill_n(x, rows * network.padded_features, 0.0f);
  const auto part = [&](std::size_t i) { return network.numbers.data() + network.start[i]; };
  const float *mean = part(0), *scale = part(1);
  float pool[max_pairs];
  for (std::size_t p = 0; p < count; ++p) {
    const float* from = features.data() + p * network.features;
    float* to = x + p * network.padded_features;
    for (std::size_t f = 0; f < network.features; ++f) to[f] = (from[f] - mean[f]) * scale[f];
    pool[p] = from[0];
  }
  softmax({pool, count}, {pool, count}, -pool_sharpness);
  kernel_({.pairs = count,
           .features = network.padded_features,
           .hidden = network.padded_hidden,
           .x = x,
           .pool = pool,
           .first = part(2),
           .first_bias = part(3),
           .second = part(4),
           .second_bias = part(5),
           .own = part(6),
           .near = part(7),
           .most = part(8),
           .third_bias = part(9),
           .last = part(10),
           .linear = part(11),
           .scores = scores.data()});
}

float portable_exp(float x) {
  if (!(x >= -87.0f)) return 0.0f;
  x = std::min(x, 88.0f);
  // x = n ln 2 + r with |r| <= ln 2 / 2; adding 1.5 * 2^23 rounds to an integer.
  constexpr float rounder = 12582912.0f;
  const float shifted = x * 1.44269504f + rounder;
  const float n = shifted - rounder;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float e = 1.0f / 720.0f;
  for (const float term : {1.0f / 120.0f, 1.0f / 24.0f, 1.0f / 6.0f, 0.5f, 1.0f, 1.0f})
    e = e * r + term;
  const auto power = static_cast<std::uint32_t>(static_cast<int>(n) + 127) << 23;
  return e * std::bit_cast<float>(power);
}

void softmax(std::span<const float> scores, std::span<float> shares, float sharpness) {
  float top = -3.4e38f;
  for (const float s : scores) top = std::max(top, sharpness * s);
  float sum = 0.0f;
  for (std::size_t i = 0; i < scores.size(); ++i)
    sum += shares[i] = portable_exp(sharpness * scores[i] - top);
  for (float& share : shares.first(scores.size())) share /= sum;
}

}  // namespace gvbind
