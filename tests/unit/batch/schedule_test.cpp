#include "batch/shards.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace gvbind;

namespace {

std::vector<double> loads(const std::vector<ShardItem>& items, int count) {
  std::vector<double> sums(static_cast<std::size_t>(count), 0.0);
  const std::vector<int> shards = assign_shards(items, count);
  REQUIRE(shards.size() == items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    sums.at(static_cast<std::size_t>(shards[i])) += items[i].cost;
  return sums;
}

}  // namespace

TEST_CASE("shards cost about the same") {
  std::mt19937 random(7);
  std::lognormal_distribution<double> cost(0.0, 1.0);
  std::vector<ShardItem> items;
  double sum = 0, dearest = 0;
  for (int i = 0; i < 500; ++i) {
    items.push_back({"asset " + std::to_string(i), cost(random)});
    sum += items.back().cost;
    dearest = std::max(dearest, items.back().cost);
  }
  for (const int count : {1, 2, 7, 16}) {
    const std::vector<double> sums = loads(items, count);
    const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
    CHECK(*most - *least <= dearest);
    CHECK(*most < 1.05 * std::max(sum / count, dearest));
  }
}

TEST_CASE("shards do not depend on the order of the assets") {
  std::vector<ShardItem> items;
  for (int i = 0; i < 60; ++i) items.push_back({"a" + std::to_string(i), 1.0 + i % 3});
  const std::vector<int> shards = assign_shards(items, 5);
  std::vector<std::size_t> order(items.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = (i * 37) % items.size();
  std::vector<ShardItem> shuffled;
  for (const std::size_t i : order) shuffled.push_back(items[i]);
  const std::vector<int> again = assign_shards(shuffled, 5);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(again[i] == shards[order[i]]);
}

TEST_CASE("more shards than assets leave some empty") {
  const std::vector<int> shards = assign_shards({{"a", 1.0}, {"b", 1.0}}, 4);
  CHECK(shards == std::vector<int>{0, 1});
  CHECK(assign_shards({}, 4).empty());
  CHECK(assign_shards({{"a", 1.0}}, 2'000'000'000) == std::vector<int>{0});
}

TEST_CASE("cost grows with file and resolution") {
  const AssetSize small{1'000'000, 128}, large{1'000'000, 512}, heavy{100'000'000, 128};
  CHECK(estimate_cost(small) < estimate_cost(large));
  CHECK(estimate_cost(small) < estimate_cost(heavy));
}
