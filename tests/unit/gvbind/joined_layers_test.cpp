#include "gvbind/fitted/joined_layers.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <map>

namespace gvbind {
namespace {

constexpr int side = 6, step = 10000;

/// Grids of `side` by `side` vertices, one above the other at the given heights.
LatticeMesh grids(const std::vector<int>& heights) {
  LatticeMesh mesh;
  for (const int height : heights) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) mesh.positions.emplace_back(x * step, y * step, height);
    for (int y = 0; y + 1 < side; ++y)
      for (int x = 0; x + 1 < side; ++x) {
        const std::uint32_t a = first + static_cast<std::uint32_t>(y * side + x);
        mesh.triangles.push_back({a, a + 1, a + side});
        mesh.triangles.push_back({a + 1, a + side + 1, a + side});
      }
  }
  return mesh;
}

std::vector<LayerPair> pairs_of(const LatticeMesh& mesh,
                                const std::vector<Eigen::Vector3d>& normals) {
  const std::vector<std::uint32_t> welded = welded_vertices(mesh);
  return layer_pairs(mesh, welded, connected_components(mesh, welded), normals, {.reach = 0.1});
}

std::vector<LayerPair> pairs_of(const LatticeMesh& mesh) {
  return pairs_of(mesh,
                  std::vector<Eigen::Vector3d>(mesh.positions.size(), Eigen::Vector3d::UnitZ()));
}

/// Scores whose shares are the given weights, in the given order.
PairScores scores_of(const std::vector<std::vector<std::pair<std::uint32_t, double>>>& weights) {
  PairScores scores;
  for (const auto& row : weights) {
    for (const auto& [joint, weight] : row) {
      scores.joint.push_back(joint);
      scores.score.push_back(static_cast<float>(std::log(weight)));
    }
    scores.first.push_back(static_cast<std::uint32_t>(scores.joint.size()));
    scores.nearest.push_back(0.1);
  }
  return scores;
}

std::map<std::uint32_t, double> shares_of(const PairScores& scores, std::size_t vertex) {
  std::map<std::uint32_t, double> shares;
  double sum = 0.0;
  for (std::uint32_t i = scores.first[vertex]; i < scores.first[vertex + 1]; ++i)
    sum += shares[scores.joint[i]] = std::exp(double{scores.score[i]});
  for (auto& [joint, share] : shares) share /= sum;
  return shares;
}

}  // namespace

TEST_CASE("vertices of two layers are pairs, each with the nearest of the other layer") {
  const std::vector<LayerPair> pairs = pairs_of(grids({0, step / 2}));
  REQUIRE(pairs.size() == side * side);
  for (std::uint32_t v = 0; v < side * side; ++v) CHECK(pairs[v] == LayerPair{v, v + side * side});
}

TEST_CASE(
    "one component, layers further apart than their edges are long, and opposite faces are no "
    "layers") {
  CHECK(pairs_of(grids({0})).empty());
  CHECK(pairs_of(grids({0, 2 * step})).empty());
  std::vector<Eigen::Vector3d> normals(2 * side * side, Eigen::Vector3d::UnitZ());
  for (std::size_t v = side * side; v < normals.size(); ++v) normals[v] *= -1.0;
  CHECK(pairs_of(grids({0, step / 2}), normals).empty());
}

TEST_CASE("joined shares are the mean of a vertex and the mean of its partners") {
  const PairScores scores =
      scores_of({{{0, 0.8}, {1, 0.2}}, {{1, 0.5}, {2, 0.5}}, {{0, 0.4}, {3, 0.6}}, {{0, 1.0}}});
  const std::vector<std::uint32_t> welded = {0, 1, 2, 3};
  const std::vector<LayerPair> pairs = {{0, 1}, {0, 2}};
  const PairScores joined = join_layers(scores, welded, scores, pairs);
  const auto near = [&](std::size_t vertex, const std::map<std::uint32_t, double>& expected) {
    const auto shares = shares_of(joined, vertex);
    CHECK(shares.size() == expected.size());
    for (const auto& [joint, share] : expected)
      CHECK(shares.at(joint) == Approx(share).margin(1e-5));
  };
  near(0, {{0, 0.4 + 0.1}, {1, 0.1 + 0.125}, {2, 0.125}, {3, 0.15}});
  near(1, {{0, 0.4}, {1, 0.25 + 0.1}, {2, 0.25}});
  near(2, {{0, 0.2 + 0.4}, {1, 0.1}, {3, 0.3}});
  near(3, {{0, 1.0}});
}

TEST_CASE("vertices at one place are joined alike, and what shares nothing keeps its bits") {
  const PairScores scores = scores_of(
      {{{0, 0.5}, {1, 0.5}}, {{0, 1.0}}, {{0, 0.5}, {1, 0.5}}, {{2, 0.3}, {4, 0.7}}, {{3, 1.0}}});
  const std::vector<std::uint32_t> welded = {0, 1, 0, 3, 4};  // 2 is at the place of 0
  const std::vector<LayerPair> pairs = {{0, 1}, {3, 4}};
  const PairScores joined = join_layers(scores, welded, scores, pairs);
  CHECK(shares_of(joined, 0) == shares_of(joined, 2));
  CHECK(shares_of(joined, 0).at(0) == Approx(0.75).margin(1e-5));
  REQUIRE(joined.first[4] - joined.first[3] == 2);
  CHECK(std::memcmp(&joined.score[joined.first[3]], &scores.score[scores.first[3]],
                    2 * sizeof(float)) == 0);
  CHECK(joined.nearest == scores.nearest);
}

}  // namespace gvbind
