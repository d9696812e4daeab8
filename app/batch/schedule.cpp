#include "batch/schedule.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

namespace gvbind {

double estimate_cost(const AssetSize& size) {
  const double side = size.resolution / 256.0;
  return 0.05 + 5e-8 * static_cast<double>(size.file_bytes) + 0.4 * side * side * side;
}

std::vector<int> assign_shards(const std::vector<ShardItem>& items, int count) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (items[a].cost != items[b].cost) return items[a].cost > items[b].cost;
    return items[a].name < items[b].name;
  });
  using Load = std::pair<double, int>;  // cost so far, shard; equal costs go to the lower shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (int shard = 0; shard < count; ++shard) loads.push({0.0, shard});
  std::vector<int> shards(items.size(), 0);
  for (const std::size_t item : order) {
    const auto [cost, shard] = loads.top();
    loads.pop();
    shards[item] = shard;
    loads.push({cost + items[item].cost, shard});
  }
  return shards;
}

}  // namespace gvbind
