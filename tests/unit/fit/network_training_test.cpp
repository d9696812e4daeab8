#include "fit/network_training.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "fit/made_up_samples.h"
#include "fit/network_gradient.h"
#include "gvbind/error.h"

using namespace gvbind;

namespace {

PairNetwork random_network(std::size_t features, std::size_t hidden) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  PairNetwork network = make_network(features, hidden);
  for (const std::span<float> part : parts_of(network))
    for (float& number : part) number = 0.4f * normal(random);
  return network;
}

/// Vertices with 1, 2, ... pairs.
fit::PairBatch random_batch(Eigen::Index features, int vertices) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  fit::PairBatch batch;
  batch.x = Eigen::MatrixXf::Zero(features, vertices * Eigen::Index{max_pairs});
  batch.pool = Eigen::MatrixXf::Zero(Eigen::Index{max_pairs}, vertices);
  batch.own = batch.pool;
  for (int v = 0; v < vertices; ++v) {
    const int count = 1 + v % static_cast<int>(max_pairs);
    batch.count.push_back(count);
    for (int p = 0; p < count; ++p) {
      for (Eigen::Index f = 0; f < features; ++f)
        batch.x(f, v * Eigen::Index{max_pairs} + p) = 2.0f * uniform(random) - 1.0f;
      batch.pool(p, v) = 1.0f / static_cast<float>(count);
      batch.own(p, v) = uniform(random) / static_cast<float>(count);
    }
  }
  return batch;
}

double loss_of(const PairNetwork& network, const fit::PairBatch& batch) {
  PairNetwork ignored = make_network(network.features, network.hidden);
  double loss = 0.0;
  fit::add_gradient(network, batch, {0.3f}, ignored, loss);
  return loss;
}

}  // namespace

TEST_CASE("the gradient is that of finite differences") {
  PairNetwork network = random_network(4, 6);
  const fit::PairBatch batch = random_batch(4, 30);
  PairNetwork gradient = make_network(4, 6);
  double loss = 0.0;
  fit::add_gradient(network, batch, {0.3f}, gradient, loss);
  const auto parts = parts_of(network);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    int close = 0;
    for (std::size_t i = 0; i < parts[part].size(); ++i) {
      constexpr float step = 1e-3f;
      const float kept = parts[part][i];
      parts[part][i] = kept + step;
      const double above = loss_of(network, batch);
      parts[part][i] = kept - step;
      const double below = loss_of(network, batch);
      parts[part][i] = kept;
      const double slope = (above - below) / (2.0 * step);
      close += std::abs(slope - parts_of(gradient)[part][i]) < 2e-3 + 0.03 * std::abs(slope);
    }
    // Some steps cross a kink of the activation function.
    INFO("part " << part);
    if (part >= 2) CHECK(close >= 0.9 * static_cast<double>(parts[part].size()));
  }
}

TEST_CASE("the shares that are trained are those that a bind takes") {
  const PairNetwork network = random_network(pair_feature_count, 8);
  const fit::SampleSet set = test::made_up_set(9, 20);
  const PairScorer scorer(network);
  fit::PairBatch batch;
  const auto slots = static_cast<Eigen::Index>(max_pairs);
  batch.x = Eigen::MatrixXf::Zero(Eigen::Index{pair_feature_count}, 20 * slots);
  batch.pool = batch.own = Eigen::MatrixXf::Zero(slots, 20);
  for (Eigen::Index v = 0; v < 20; ++v) {
    const auto vertex = static_cast<std::size_t>(v);
    const std::size_t pairs = set.pair_count(vertex);
    batch.count.push_back(static_cast<int>(pairs));
    for (std::size_t p = 0; p < pairs; ++p) {
      const float* x = set.features.data() + (set.first[vertex] + p) * pair_feature_count;
      for (std::size_t f = 0; f < pair_feature_count; ++f)
        batch.x(static_cast<Eigen::Index>(f), v * slots + static_cast<Eigen::Index>(p)) =
            (x[f] - network.mean[f]) * network.scale[f];
      batch.pool(static_cast<Eigen::Index>(p), v) = x[0];
    }
    const std::span<float> pool(batch.pool.col(v).data(), pairs);
    softmax(pool, pool, -pool_sharpness);
  }
  PairNetwork gradient = make_network(pair_feature_count, 8);
  double loss = 0.0;
  const Eigen::MatrixXf shares = fit::add_gradient(network, batch, {}, gradient, loss);
  for (std::size_t v = 0; v < 20; ++v) {
    std::vector<float> expected(set.pair_count(v));
    scorer.score(
        std::span(set.features)
            .subspan(set.first[v] * pair_feature_count, expected.size() * pair_feature_count),
        expected);
    softmax(expected, expected);
    for (std::size_t p = 0; p < expected.size(); ++p)
      CHECK(shares(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(v)) ==
            Approx(expected[p]).margin(1e-4));
  }
}

TEST_CASE("training reduces the loss on training data and on unseen data") {
  std::vector<fit::SampleSet> sets;
  for (unsigned i = 0; i < 8; ++i) sets.push_back(test::made_up_set(i, 400));
  const fit::SampleSet unseen = test::made_up_set(100, 400);
  std::vector<const fit::SampleSet*> all;
  for (const fit::SampleSet& set : sets) all.push_back(&set);
  fit::TrainingOptions options;
  options.hidden = 8;
  options.batch = 64;
  options.epochs = 1;
  const PairNetwork little = fit::train_network(all, options);
  options.epochs = 12;
  const PairNetwork much = fit::train_network(all, options);
  CHECK(fit::l1_of(FittedNetworks{{much}}, sets[0]) <
        0.6 * l1_of(FittedNetworks{{little}}, sets[0]));
  CHECK(fit::l1_of(FittedNetworks{{much}}, unseen) < 0.6 * l1_of(FittedNetworks{{little}}, unseen));
  for (const std::span<const float> part : parts_of(much))
    for (const float number : part)
      REQUIRE(number == std::nearbyint(number / network_step) * network_step);
}

TEST_CASE("the same seed gives the same network, another one another") {
  const fit::SampleSet set = test::made_up_set(1, 100);
  const std::vector<const fit::SampleSet*> sets = {&set};
  fit::TrainingOptions options;
  options.hidden = 8;
  options.epochs = 2;
  const PairNetwork a = fit::train_network(sets, options), b = fit::train_network(sets, options);
  CHECK(a.first == b.first);
  CHECK(a.linear == b.linear);
  options.seed = 1;
  CHECK(fit::train_network(sets, options).first != a.first);
}

TEST_CASE("nothing to fit on is an error, not a network of nothing") {
  const fit::SampleSet empty;
  CHECK_THROWS_AS(fit::train_network(std::vector<const fit::SampleSet*>{&empty}, {}), Error);
  CHECK_THROWS_AS(fit::train_network({}, {}), Error);
}

TEST_CASE("weight of joints that are no candidates counts against a network") {
  fit::SampleSet set = test::made_up_set(1, 10);
  const PairNetwork network = random_network(pair_feature_count, 8);
  const double before = fit::l1_of(FittedNetworks{{network}}, set);
  set.elsewhere.assign(10, 0.25f);
  CHECK(fit::l1_of(FittedNetworks{{network}}, set) == Approx(before + 0.25));
}
