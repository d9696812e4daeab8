#include "gvbind/skin_weights.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

using namespace gvbind;

namespace {

SkinWeights weights_of(const std::vector<std::vector<Influence>>& rows) {
  SkinWeights weights;
  for (const auto& row : rows) {
    for (const auto& [joint, weight] : row) {
      weights.joint.push_back(joint);
      weights.weight.push_back(weight);
    }
    weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
  }
  return weights;
}

}  // namespace

TEST_CASE("rows are read and appended as they are") {
  const SkinWeights weights = weights_of({{{3, 0.75f}, {1, 0.25f}}, {}, {{2, 1.0f}}});
  REQUIRE(weights.vertex_count() == 3);
  CHECK(weights.row(0).size() == 2);
  CHECK(weights.row(0)[1].joint == 1);
  CHECK(weights.row(1).empty());
  float sum = 0.0f;
  for (const auto& [joint, weight] : weights.row(0)) sum += weight * static_cast<float>(joint);
  CHECK(sum == 2.5f);
  SkinWeights copy;
  for (const std::size_t v : {2u, 1u, 0u}) copy.append_row(weights, v);
  CHECK(copy.first == std::vector<std::uint32_t>{0, 1, 1, 3});
  CHECK(copy.joint == std::vector<std::uint32_t>{2, 3, 1});
}

TEST_CASE("pruned rows lose small weights and sum to one, and the largest weight stays") {
  const SkinWeights weights =
      weights_of({{{3, 0.75f}, {1, 0.2f}, {0, 0.05f}}, {}, {{2, 0.4f}, {4, 0.3f}, {7, 0.3f}}});
  SkinWeights made = pruned(weights, 0.1);
  CHECK(made.first == std::vector<std::uint32_t>{0, 2, 2, 5});
  CHECK(made.row(0)[0].weight == Approx(0.75 / 0.95));
  CHECK(made.row(0)[1].weight == Approx(0.2 / 0.95));
  made = pruned(weights, 1.0);
  CHECK(made.first == std::vector<std::uint32_t>{0, 1, 1, 2});
  CHECK(made.joint == std::vector<std::uint32_t>{3, 2});
  CHECK(made.weight == std::vector<float>{1.0f, 1.0f});
  CHECK(pruned(weights, 0.0).weight == weights.weight);
}

TEST_CASE("packed weights sum to one exactly, and none is further off than one step") {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> any(0.0f, 1.0f);
  for (int i = 0; i < 500; ++i) {
    std::vector<Influence> row(1 + random() % 7);
    float sum = 0.0f;
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = {std::uint32_t(k), any(random) + 1e-6f};
    std::ranges::sort(row, std::ranges::greater(), &Influence::weight);
    for (std::size_t k = 0; k < std::min<std::size_t>(row.size(), 4); ++k) sum += row[k].weight;
    const PackedWeights packed = pack(weights_of({row}));
    const auto& made = packed.weights[0];
    CHECK(std::accumulate(made.begin(), made.end(), 0) == 65535);
    for (std::size_t k = 0; k < std::min<std::size_t>(row.size(), 4); ++k) {
      CHECK(std::abs(made[k] - row[k].weight / sum * 65535.0f) <= 1.01f);
      CHECK(packed.joints[0][k] == (made[k] > 0 ? row[k].joint : 0));
    }
  }
}

TEST_CASE("empty and single rows are packed") {
  const PackedWeights packed = pack(weights_of({{}, {{65534, 1.0f}}}));
  CHECK(packed.weights[0] == std::array<std::uint16_t, 4>{0, 0, 0, 0});
  CHECK(packed.weights[1] == std::array<std::uint16_t, 4>{65535, 0, 0, 0});
  CHECK(packed.joints[1][0] == 65534);
}
