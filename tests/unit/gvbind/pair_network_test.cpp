#include "gvbind/fitted/pair_network.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>

#include "gvbind/error.h"

using namespace gvbind;

namespace {

PairNetwork random_network(std::size_t features, std::size_t hidden, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  PairNetwork network = make_network(features, hidden);
  for (const std::span<float> part : parts_of(network))
    for (float& number : part) number = 0.3f * normal(random);
  return network;
}

std::vector<float> random_features(std::size_t count, unsigned seed = 2) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-2.0f, 2.0f);
  std::vector<float> features(count);
  for (float& feature : features) feature = uniform(random);
  return features;
}

using Vector = std::vector<double>;

Vector times(const std::vector<float>& matrix, const Vector& x) {
  Vector out(matrix.size() / x.size(), 0.0);
  for (std::size_t i = 0; i < matrix.size(); ++i) out[i / x.size()] += matrix[i] * x[i % x.size()];
  return out;
}

Vector plus(Vector a, const auto& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

Vector relu(Vector a) {
  for (double& x : a) x = std::max(x, 0.0);
  return a;
}

/// The formula of the header, in double precision.
Vector reference(const PairNetwork& n, const std::vector<float>& features, std::size_t count) {
  std::vector<Vector> x, u;
  Vector mean(n.hidden, 0.0), most(n.hidden, 0.0), scores;
  double total = 0.0;
  for (std::size_t p = 0; p < count; ++p) {
    x.emplace_back();
    for (std::size_t f = 0; f < n.features; ++f)
      x[p].push_back((features[p * n.features + f] - n.mean[f]) * n.scale[f]);
    u.push_back(
        relu(plus(times(n.second, relu(plus(times(n.first, x[p]), n.first_bias))), n.second_bias)));
    const double near = std::exp(-pool_sharpness * features[p * n.features]);
    total += near;
    for (std::size_t h = 0; h < n.hidden; ++h) {
      mean[h] += near * u[p][h];
      most[h] = std::max(most[h], u[p][h]);
    }
  }
  for (double& m : mean) m /= total;
  const Vector c = plus(plus(times(n.near, mean), times(n.most, most)), n.third_bias);
  for (std::size_t p = 0; p < count; ++p)
    scores.push_back(times(n.last, relu(plus(times(n.own, u[p]), c)))[0] +
                     times(n.linear, x[p])[0]);
  return scores;
}

}  // namespace

TEST_CASE("the scores of a vertex's pairs are those of the formula") {
  for (const std::size_t features : {1, 7, 8, 79, 128})
    for (const std::size_t hidden : {1, 8, 20, 24, 32, 64}) {
      const PairNetwork network = random_network(features, hidden);
      const PairScorer scorer(network);
      for (std::size_t pairs = 1; pairs <= max_pairs; ++pairs) {
        const std::vector<float> x =
            random_features(pairs * features, static_cast<unsigned>(pairs));
        std::vector<float> scores(pairs);
        scorer.score(x, scores);
        const Vector expected = reference(network, x, pairs);
        double scale = 1.0;
        for (const double e : expected) scale = std::max(scale, std::abs(e));
        for (std::size_t p = 0; p < pairs; ++p)
          CHECK(std::abs(scores[p] - expected[p]) < 1e-5 * scale);
      }
    }
}

/// One scorer for each set of instructions that this machine has.
std::vector<PairScorer> scorers_of(const PairNetwork& network) {
  std::vector<PairScorer> scorers;
  for (const PairKernel kernel : {PairKernel::automatic, PairKernel::avx2, PairKernel::avx512})
    try {
      scorers.emplace_back(network, kernel);
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::resource);
    }
  return scorers;
}

TEST_CASE("every kernel that this machine has gives the same bits") {
  for (const std::size_t hidden : {8, 20, 32, 40}) {
    const PairNetwork network = random_network(79, hidden);
    const PairScorer base(network, PairKernel::base);
    const std::vector<PairScorer> fast = scorers_of(network);
    for (unsigned seed = 0; seed < 50; ++seed) {
      const std::size_t pairs = 1 + seed % max_pairs;
      const std::vector<float> x = random_features(pairs * 79, seed);
      std::vector<float> a(pairs), b(pairs);
      base.score(x, a);
      for (const PairScorer& scorer : fast) {
        scorer.score(x, b);
        CHECK(std::memcmp(a.data(), b.data(), pairs * sizeof(float)) == 0);
      }
    }
  }
}

TEST_CASE("a network's scores are the same numbers on every machine") {
  const PairScorer scorer([] {
    // Generated here, since distributions of std differ between libraries.
    PairNetwork network = make_network(5, 3);
    int k = 0;
    for (const std::span<float> part : parts_of(network))
      for (float& number : part) number = 0.1f * static_cast<float>(++k % 17 - 8);
    return network;
  }());
  std::vector<float> x(15), scores(3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.37f * static_cast<float>(i % 7) - 0.9f;
  scorer.score(x, scores);
  std::vector<float> shares(3);
  softmax(scores, shares);
  CHECK(scores == std::vector<float>{0x1.16872cp-5f, 0x1.6e9792p-4f, 0x1.53261ap-5f});
  CHECK(shares == std::vector<float>{0x1.4e2646p-2f, 0x1.613816p-2f, 0x1.50a1a2p-2f});
}

TEST_CASE("an own exponential is exact to a millionth, and zero far below") {
  double worst = 0.0;
  for (double x = -86.9; x < 88.0; x += 0.00137) {
    const auto y = static_cast<float>(x);
    const double truth = std::exp(static_cast<double>(y));
    worst = std::max(worst, std::abs(portable_exp(y) - truth) / truth);
  }
  CHECK(worst < 1e-6);
  CHECK(portable_exp(0.0f) == 1.0f);
  CHECK(portable_exp(-1e30f) == 0.0f);
  CHECK(portable_exp(-INFINITY) == 0.0f);
}

TEST_CASE("shares sum to one, follow the scores, and are sharper as asked") {
  const std::vector<float> scores = {1.0f, 2.0f, -300.0f};
  std::vector<float> smooth(3), sharp(3);
  softmax(scores, smooth);
  softmax(scores, sharp, 4.0f);
  CHECK(smooth[0] + smooth[1] + smooth[2] == Approx(1.0f));
  CHECK(smooth[1] / smooth[0] == Approx(std::exp(1.0f)));
  CHECK(smooth[2] == 0.0f);
  CHECK(sharp[1] / sharp[0] == Approx(std::exp(4.0f)));
}

TEST_CASE("the score of several networks is the mean of theirs") {
  const FittedNetworks fitted = {
      {random_network(9, 5, 1), random_network(9, 5, 2), random_network(9, 5, 3)}};
  const std::vector<float> x = random_features(7 * 9);
  std::vector<float> mean(7), one(7);
  std::vector<double> sum(7, 0.0);
  PairScorer(fitted).score(x, mean);
  for (const PairNetwork& network : fitted.networks) {
    PairScorer(network).score(x, one);
    for (std::size_t p = 0; p < 7; ++p) sum[p] += double{one[p]};
  }
  for (std::size_t p = 0; p < 7; ++p) CHECK(double{mean[p]} == Approx(sum[p] / 3.0).margin(1e-5));
  CHECK_THROWS_AS(PairScorer(FittedNetworks{}), Error);
  CHECK_THROWS_AS(PairScorer(FittedNetworks{{random_network(9, 5), random_network(8, 5)}}), Error);
}

TEST_CASE("features shared by joints and points are added up once, with the same scores and bits") {
  constexpr std::size_t features = 21, joints = 5, pairs = 5;
  const FittedNetworks fitted = {
      {random_network(features, 20, 1), random_network(features, 20, 2)}};
  FeatureGroups groups;
  for (std::uint32_t f = 0; f < features; ++f)
    (f % 3 == 0 ? groups.pair : f % 3 == 1 ? groups.point : groups.joint).push_back(f);
  const std::vector<float> rows = random_features(joints * groups.joint.size(), 7);
  const PairScorer whole(fitted), split(fitted, groups, rows, PairKernel::base),
      fastest(fitted, groups, rows);
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<float> x = random_features(pairs * features, seed);
    std::vector<std::uint32_t> joint(pairs);
    for (std::uint32_t p = 0; p < pairs; ++p) {
      joint[p] = (p * 2 + seed) % joints;
      for (const std::uint32_t f : groups.point) x[p * features + f] = x[f];
      for (std::size_t i = 0; i < groups.joint.size(); ++i)
        x[p * features + groups.joint[i]] = rows[joint[p] * groups.joint.size() + i];
    }
    std::vector<float> a(pairs), b(pairs), c(pairs);
    whole.score(x, a);
    split.score(joint, x, b);
    fastest.score(joint, x, c);
    for (std::size_t p = 0; p < pairs; ++p) CHECK(b[p] == Approx(a[p]).margin(1e-4));
    CHECK(b == c);
  }
  groups.pair.push_back(1);
  CHECK_THROWS_AS(PairScorer(fitted, groups, rows), Error);
}

TEST_CASE("a network whose parts do not fit, and pairs that do not fit it, are refused") {
  PairNetwork network = random_network(8, 8);
  CHECK_THROWS_AS(PairScorer(network).score(std::vector<float>(7), std::span<float>()), Error);
  CHECK_THROWS_AS(PairScorer(make_network(8, max_hidden + 1)), Error);
  CHECK_THROWS_AS(PairScorer(make_network(0, 8)), Error);
  network.own.pop_back();
  CHECK_THROWS_AS(PairScorer(network), Error);
}

TEST_CASE("a character's pairs take a tenth of a second", "[.bench]") {
  const std::size_t vertices = 50000;
  const std::vector<float> x = random_features(max_pairs * 79);
  for (const std::size_t hidden : {24, 32})
    for (const PairKernel kernel : {PairKernel::base, PairKernel::automatic}) {
      const PairScorer scorer(random_network(79, hidden), kernel);
      std::vector<float> scores(max_pairs);
      const std::clock_t start = std::clock();
      for (std::size_t v = 0; v < vertices; ++v) scorer.score(x, scores);
      const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      WARN("hidden " << hidden << (kernel == PairKernel::base ? " base " : " fastest ") << took
                     << " s on one core");
    }
}
