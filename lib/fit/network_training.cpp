#include "fit/network_training.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "fit/network_gradient.h"
#include "gvbind/error.h"
#include "gvbind/fitted/pair_features.h"

namespace gvbind::fit {

namespace {

// Index of the first trained part; mean and scale before it are measured.
constexpr std::size_t first_fitted = 2;
constexpr double min_deviation = 1e-3;  // of a feature that is used
constexpr double warm_up = 0.15;        // fraction of the steps with rising rate
constexpr double warm_up_start = 0.04;  // relative to the maximum rate
constexpr double end_rate = 1e-4;       // relative to the maximum rate
constexpr double max_gradient = 1.0;    // gradients are clipped to this length
constexpr float beta1 = 0.9f, beta2 = 0.999f;

struct Vertex {
  const SampleSet* set;
  std::size_t vertex;
};

void measure_features(std::span<const SampleSet* const> samples, PairNetwork& network) {
  const std::size_t count = network.features;
  std::vector<double> sum(count, 0.0), squares(count, 0.0);
  double pairs = 0.0;
  for (const SampleSet* set : samples)
    for (std::size_t i = 0; i < set->own.size(); ++i, ++pairs)
      for (std::size_t f = 0; f < count; ++f) {
        const double x = set->features[i * count + f];
        sum[f] += x;
        squares[f] += x * x;
      }
  for (std::size_t f = 0; f < count; ++f) {
    const double mean = sum[f] / pairs;
    const double deviation = std::sqrt(std::max(0.0, squares[f] / pairs - mean * mean));
    network.mean[f] = static_cast<float>(mean);
    // A feature that is constant in the training data carries no information, and would be scaled
    // excessively on other data.
    const bool varies = deviation > min_deviation;
    network.scale[f] = varies ? static_cast<float>(1.0 / (deviation + min_deviation)) : 0.0f;
  }
}

void randomize(PairNetwork& network, std::mt19937& random) {
  std::normal_distribution<float> normal;
  const auto fill = [&](std::vector<float>& part, double inputs) {
    for (float& number : part) number = normal(random) / static_cast<float>(std::sqrt(inputs));
  };
  const auto features = static_cast<double>(network.features);
  const auto hidden = static_cast<double>(network.hidden);
  fill(network.first, features / 1.5);
  fill(network.second, hidden / 1.5);
  fill(network.own, 3.0 * hidden / 1.5);
  fill(network.near, 3.0 * hidden / 1.5);
  fill(network.most, 3.0 * hidden / 1.5);
  fill(network.last, hidden);
  fill(network.linear, 4.0 * features);
}

PairBatch batch_of(std::span<const Vertex> vertices, const PairNetwork& network) {
  const auto count = static_cast<Eigen::Index>(vertices.size());
  const auto features = static_cast<Eigen::Index>(network.features);
  const auto slots = static_cast<Eigen::Index>(max_pairs);
  PairBatch batch;
  batch.x = Eigen::MatrixXf::Zero(features, count * slots);
  batch.pool = Eigen::MatrixXf::Zero(slots, count);
  batch.own = Eigen::MatrixXf::Zero(slots, count);
  for (Eigen::Index v = 0; v < count; ++v) {
    const auto& [set, vertex] = vertices[v];
    const std::size_t pairs = set->pair_count(vertex), first = set->first[vertex];
    batch.count.push_back(static_cast<int>(pairs));
    for (std::size_t p = 0; p < pairs; ++p) {
      const float* x = set->features.data() + (first + p) * network.features;
      const auto row = static_cast<Eigen::Index>(p);
      batch.pool(row, v) = x[0];
      batch.own(row, v) = set->own[first + p];
      float* to = batch.x.col(v * slots + row).data();
      for (std::size_t f = 0; f < network.features; ++f)
        to[f] = (x[f] - network.mean[f]) * network.scale[f];
    }
    const std::span<float> pool(batch.pool.col(v).data(), pairs);
    softmax(pool, pool, -pool_sharpness);
  }
  return batch;
}

/// Adam with decoupled weight decay (Loshchilov and Hutter).
class Optimizer {
 public:
  Optimizer(const PairNetwork& network, const TrainingOptions& options)
      : options_(options), mean_(make_network(network.features, network.hidden)), square_(mean_) {}

  void step(PairNetwork& network, const PairNetwork& gradient, double rate) {
    ++steps_;
    double square = 0.0;
    for (const std::span<const float> part : parts_of(gradient))
      for (const float g : part) square += double{g} * g;
    const auto clip = static_cast<float>(std::min(1.0, max_gradient / (std::sqrt(square) + 1e-9)));
    const double correction1 = 1.0 - std::pow(double{beta1}, steps_);
    const double correction2 = 1.0 - std::pow(double{beta2}, steps_);
    const auto numbers = parts_of(network);
    const auto gradients = parts_of(gradient);
    const auto means = parts_of(mean_);
    const auto squares = parts_of(square_);
    for (std::size_t part = first_fitted; part < numbers.size(); ++part)
      for (std::size_t i = 0; i < numbers[part].size(); ++i) {
        const float g = clip * gradients[part][i];
        float& mean = means[part][i];
        float& mean_square = squares[part][i];
        mean = beta1 * mean + (1.0f - beta1) * g;
        mean_square = beta2 * mean_square + (1.0f - beta2) * g * g;
        float& number = numbers[part][i];
        const double direction = mean / correction1 / (std::sqrt(mean_square / correction2) + 1e-8);
        number -= static_cast<float>(rate * (direction + options_.decay * number));
      }
  }

 private:
  TrainingOptions options_;
  PairNetwork mean_, square_;
  int steps_ = 0;
};

/// Mean of the network over the last half of the steps. It varies less with the seed than the
/// network of any single step.
class MeanNetwork {
 public:
  explicit MeanNetwork(const PairNetwork& like) : sum_(number_count(like.features, like.hidden)) {}

  void add(const PairNetwork& network) {
    std::size_t i = 0;
    for (const std::span<const float> part : parts_of(network))
      for (const float number : part) sum_[i++] += double{number};
    ++count_;
  }

  void copy_to(PairNetwork& network) const {
    std::size_t i = 0;
    for (const std::span<float> part : parts_of(network))
      for (float& number : part) number = static_cast<float>(sum_[i++] / count_);
  }

 private:
  std::vector<double> sum_;
  double count_ = 0.0;
};

/// Warm-up, then decay, both along a cosine.
double rate_at(double done) {
  const auto wave = [](double x) { return (1.0 + std::cos(std::numbers::pi * x)) / 2.0; };
  if (done < warm_up) return warm_up_start + (1.0 - warm_up_start) * (1.0 - wave(done / warm_up));
  return wave((done - warm_up) / (1.0 - warm_up)) + end_rate;
}

/// At most `most` of each set, in random order.
std::vector<Vertex> draw_vertices(std::span<const SampleSet* const> samples, int most,
                                  std::mt19937& random) {
  std::vector<Vertex> drawn;
  for (const SampleSet* set : samples) {
    std::vector<std::size_t> all(set->vertex_count());
    std::iota(all.begin(), all.end(), 0);
    std::ranges::shuffle(all, random);
    all.resize(std::min(all.size(), static_cast<std::size_t>(most)));
    for (const std::size_t vertex : all)
      if (set->pair_count(vertex) > 0) drawn.push_back({set, vertex});
  }
  std::ranges::shuffle(drawn, random);
  return drawn;
}

void drop_features(PairBatch& batch, float probability, std::mt19937& random) {
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  for (Eigen::Index f = 0; f < batch.x.rows(); ++f)
    if (uniform(random) < probability) batch.x.row(f).setZero();
}

void round_numbers(PairNetwork& network) {
  for (const std::span<float> part : parts_of(network))
    for (float& number : part) {
      const float kept = std::clamp(number, -max_network_number, max_network_number);
      number = std::nearbyint(kept / network_step) * network_step;
    }
}

}  // namespace

PairNetwork train_network(std::span<const SampleSet* const> samples,
                          const TrainingOptions& options) {
  std::mt19937 random(options.seed);
  PairNetwork network = make_network(pair_feature_count, options.hidden);
  measure_features(samples, network);
  randomize(network, random);
  Optimizer optimizer(network, options);
  MeanNetwork mean(network);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const std::vector<Vertex> drawn = draw_vertices(samples, options.vertices, random);
    if (drawn.empty()) throw Error(ErrorKind::cannot_bind, "there is no vertex to fit on");
    const std::size_t size = std::min(drawn.size(), static_cast<std::size_t>(options.batch));
    const std::size_t steps = drawn.size() / size;
    for (std::size_t i = 0; i < steps; ++i) {
      PairBatch batch = batch_of(std::span(drawn).subspan(i * size, size), network);
      drop_features(batch, options.feature_drop, random);
      PairNetwork gradient = make_network(network.features, network.hidden);
      double loss = 0.0;
      add_gradient(network, batch, {options.cross_entropy}, gradient, loss);
      const double done =
          (epoch + static_cast<double>(i) / static_cast<double>(steps)) / options.epochs;
      optimizer.step(network, gradient, options.rate * rate_at(done));
      if (done >= 0.5 || (epoch + 1 == options.epochs && i + 1 == steps)) mean.add(network);
    }
  }
  mean.copy_to(network);
  round_numbers(network);
  return network;
}

double l1_of(const FittedNetworks& fitted, const SampleSet& samples, std::size_t max_influences) {
  const PairScorer scorer(fitted);
  const std::size_t count = scorer.features();
  double sum = 0.0;
  for (std::size_t v = 0; v < samples.vertex_count(); ++v) {
    const std::size_t pairs = samples.pair_count(v), first = samples.first[v];
    std::vector<float> shares(pairs);
    scorer.score(std::span(samples.features).subspan(first * count, pairs * count), shares);
    softmax(shares, shares);
    std::vector<float> sorted = shares;
    std::ranges::sort(sorted, std::greater<>());
    sorted.resize(std::min(pairs, max_influences));
    const float total = std::accumulate(sorted.begin(), sorted.end(), 0.0f);
    for (std::size_t p = 0; p < pairs; ++p) {
      const float share = shares[p] >= sorted.back() ? shares[p] / total : 0.0f;
      sum += std::abs(share - samples.own[first + p]);
    }
    sum += samples.elsewhere[v];
  }
  return sum / static_cast<double>(std::max<std::size_t>(samples.vertex_count(), 1));
}

}  // namespace gvbind::fit
