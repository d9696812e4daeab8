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

auto kernel_of(PairKernel kernel) {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2"), avx512 = __builtin_cpu_supports("avx512f");
#else
  const bool avx2 = false, avx512 = false;
#endif
  if (kernel == PairKernel::avx2 && !avx2)
    throw Error(ErrorKind::resource, "this machine has no AVX2 instructions");
  if (kernel == PairKernel::avx512 && !avx512)
    throw Error(ErrorKind::resource, "this machine has no AVX-512 instructions");
#if defined(__x86_64__)
  if (kernel == PairKernel::avx512 || (kernel == PairKernel::automatic && avx512))
    return &score_pairs_avx512;
  if (kernel != PairKernel::base && avx2) return &score_pairs_avx2;
#endif
  return &score_pairs_base;
}

/// A square matrix of hidden units by input, padded with zeros.
std::vector<float> transposed(std::span<const float> from, std::size_t side,
                              std::size_t padded_side) {
  std::vector<float> to(padded_side * padded_side, 0.0f);
  for (std::size_t r = 0; r < side; ++r)
    for (std::size_t c = 0; c < side; ++c) to[c * padded_side + r] = from[r * side + c];
  return to;
}

std::vector<float> padded(std::span<const float> from, std::size_t size) {
  std::vector<float> to(from.begin(), from.end());
  to.resize(size, 0.0f);
  return to;
}

void check_sizes(const PairNetwork& network) {
  if (network.features == 0 || network.features > max_pair_features || network.hidden == 0 ||
      network.hidden > max_hidden)
    throw Error(ErrorKind::internal, "a network of a size that has no kernel");
  const PartSizes sizes = part_sizes(network.features, network.hidden);
  const auto parts = parts_of(network);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].size() != sizes[i])
      throw Error(ErrorKind::internal, "a network whose parts do not fit together");
}

FeatureGroups one_group(std::size_t features) {
  FeatureGroups groups;
  for (std::uint32_t f = 0; f < features; ++f) groups.pair.push_back(f);
  return groups;
}

void check_groups(const FeatureGroups& groups, std::size_t features, std::size_t joint_numbers) {
  std::vector<bool> found(features, false);
  std::size_t count = 0;
  for (const auto* group : {&groups.pair, &groups.point, &groups.joint})
    for (const std::uint32_t f : *group) {
      if (f >= features || found[f]) throw Error(ErrorKind::internal, "a feature of two groups");
      found[f] = true;
      ++count;
    }
  if (count != features || groups.pair.empty() || groups.pair.front() != 0 ||
      (!groups.joint.empty() && joint_numbers % groups.joint.size() != 0))
    throw Error(ErrorKind::internal, "groups of features that are not those of the networks");
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

PairScorer::Group PairScorer::group_of(const PairNetwork& network,
                                       std::span<const std::uint32_t> features) {
  const std::size_t hidden = round_up(network.hidden, lane_tile);
  Group group = {{features.begin(), features.end()}, {}, {}, {}, {}};
  group.first.assign(features.size() * hidden, 0.0f);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::size_t f = features[i];
    group.mean.push_back(network.mean[f]);
    group.scale.push_back(network.scale[f]);
    group.linear.push_back(network.linear[f]);
    for (std::size_t h = 0; h < network.hidden; ++h)
      group.first[i * hidden + h] = network.first[h * network.features + f];
  }
  group.linear.resize(round_up(features.size(), lane_tile), 0.0f);
  return group;
}

PairScorer::Prepared PairScorer::prepare(const PairNetwork& network, const FeatureGroups& groups,
                                         std::span<const float> joint_features) {
  check_sizes(network);
  Prepared made;
  const std::size_t width = made.hidden = round_up(network.hidden, lane_tile);
  made.pair = group_of(network, groups.pair);
  made.point = group_of(network, groups.point);
  const Group joint = group_of(network, groups.joint);
  const std::size_t numbers = groups.joint.size();
  const std::size_t joints = numbers == 0 ? 1 : joint_features.size() / numbers;
  const std::vector<float> bias = padded(network.first_bias, width);
  for (std::size_t j = 0; j < joints; ++j) {
    made.joint_start.insert(made.joint_start.end(), bias.begin(), bias.end());
    float* const start = made.joint_start.data() + j * width;
    float score = 0.0f;
    for (std::size_t i = 0; i < numbers; ++i) {
      const float x = (joint_features[j * numbers + i] - joint.mean[i]) * joint.scale[i];
      for (std::size_t h = 0; h < width; ++h) start[h] += joint.first[i * width + h] * x;
      score += joint.linear[i] * x;
    }
    made.joint_score.push_back(score);
  }
  made.second = transposed(network.second, network.hidden, width);
  made.second_bias = padded(network.second_bias, width);
  made.own = transposed(network.own, network.hidden, width);
  made.near = transposed(network.near, network.hidden, width);
  made.most = transposed(network.most, network.hidden, width);
  made.third_bias = padded(network.third_bias, width);
  made.last = padded(network.last, width);
  return made;
}

PairScorer::PairScorer(const PairNetwork& network, PairKernel kernel)
    : PairScorer(FittedNetworks{{network}}, kernel) {}

PairScorer::PairScorer(const FittedNetworks& fitted, PairKernel kernel)
    : PairScorer(fitted, one_group(fitted.networks.empty() ? 0 : fitted.networks.front().features),
                 {}, kernel) {}

PairScorer::PairScorer(const FittedNetworks& fitted, const FeatureGroups& groups,
                       std::span<const float> joint_features, PairKernel kernel)
    : kernel_(kernel_of(kernel)) {
  if (fitted.networks.empty() || fitted.networks.size() > max_networks)
    throw Error(ErrorKind::internal, "a number of networks that cannot be evaluated");
  features_ = fitted.networks.front().features;
  for (const PairNetwork& network : fitted.networks)
    if (network.features != features_)
      throw Error(ErrorKind::internal, "networks of different features");
  for (const PairNetwork& network : fitted.networks) check_sizes(network);
  check_groups(groups, features_, joint_features.size());
  for (const PairNetwork& network : fitted.networks)
    networks_.push_back(prepare(network, groups, joint_features));
  const PairNetwork& front = fitted.networks.front();
  shares_inputs_ = std::ranges::all_of(fitted.networks, [&](const PairNetwork& network) {
    return network.mean == front.mean && network.scale == front.scale;
  });
}

void PairScorer::score(std::span<const float> features, std::span<float> scores) const {
  constexpr std::uint32_t no_rows[max_pairs] = {};
  score({no_rows, std::min(scores.size(), max_pairs)}, features, scores);
}

void PairScorer::score(std::span<const std::uint32_t> joints, std::span<const float> features,
                       std::span<float> scores) const {
  if (scores.size() > max_pairs || joints.size() != scores.size() ||
      features.size() != scores.size() * features_)
    throw Error(ErrorKind::internal, "pairs that do not fit the network");
  if (scores.empty()) return;
  float pool[max_pairs], more[max_pairs];
  for (std::size_t p = 0; p < scores.size(); ++p) pool[p] = features[p * features_];
  const std::span<float> weights(pool, scores.size()), others(more, scores.size());
  softmax(weights, weights, -pool_sharpness);
  Inputs inputs;
  normalize(networks_.front(), features, scores.size(), inputs);
  score_by(networks_.front(), joints, inputs, weights, scores);
  if (networks_.size() == 1) return;
  for (std::size_t n = 1; n < networks_.size(); ++n) {
    if (!shares_inputs_) normalize(networks_[n], features, scores.size(), inputs);
    score_by(networks_[n], joints, inputs, weights, others);
    for (std::size_t p = 0; p < scores.size(); ++p) scores[p] += others[p];
  }
  for (float& score : scores) score /= static_cast<float>(networks_.size());
}

void PairScorer::normalize(const Prepared& network, std::span<const float> features,
                           std::size_t count, Inputs& inputs) const {
  const Group &pair = network.pair, &point = network.point;
  const std::size_t stride = pair.linear.size();
  std::fill_n(inputs.x, round_up(count, pair_tile) * stride, 0.0f);
  for (std::size_t i = 0; i < point.feature.size(); ++i)
    inputs.point_x[i] = (features[point.feature[i]] - point.mean[i]) * point.scale[i];
  for (std::size_t p = 0; p < count; ++p) {
    const float* from = features.data() + p * features_;
    float* to = inputs.x + p * stride;
    for (std::size_t i = 0; i < pair.feature.size(); ++i)
      to[i] = (from[pair.feature[i]] - pair.mean[i]) * pair.scale[i];
  }
}

void PairScorer::score_by(const Prepared& network, std::span<const std::uint32_t> joints,
                          const Inputs& inputs, std::span<const float> pool,
                          std::span<float> scores) const {
  const Group &pair = network.pair, &point = network.point;
  const std::size_t count = scores.size();
  const float* start[max_pairs];
  float score_start[max_pairs];
  float point_score = 0.0f;
  for (std::size_t i = 0; i < point.feature.size(); ++i)
    point_score += point.linear[i] * inputs.point_x[i];
  for (std::size_t p = 0; p < count; ++p) {
    start[p] = network.joint_start.data() + joints[p] * network.hidden;
    score_start[p] = network.joint_score[joints[p]] + point_score;
  }
  kernel_({.pairs = count,
           .hidden = network.hidden,
           .features = pair.feature.size(),
           .x = inputs.x,
           .point_features = point.feature.size(),
           .point_x = inputs.point_x,
           .first = pair.first.data(),
           .first_of_point = point.first.data(),
           .start = start,
           .score_start = score_start,
           .pool = pool.data(),
           .second = network.second.data(),
           .second_bias = network.second_bias.data(),
           .own = network.own.data(),
           .near = network.near.data(),
           .most = network.most.data(),
           .third_bias = network.third_bias.data(),
           .last = network.last.data(),
           .linear = pair.linear.data(),
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
