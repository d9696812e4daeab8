#include "batch/shards.h"

#include <algorithm>
#include <functional>
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
  // Further shards stay empty.
  const std::size_t used = std::min(items.size(), static_cast<std::size_t>(count));
  for (std::size_t shard = 0; shard < used; ++shard) loads.push({0.0, static_cast<int>(shard)});
  std::vector<int> shards(items.size(), 0);
  for (const std::size_t item : order) {
    const auto [cost, shard] = loads.top();
    loads.pop();
    shards[item] = shard;
    loads.push({cost + items[item].cost, shard});
  }
  return shards;
}

double cost_of(const BatchAsset& asset) {
  constexpr int usual_auto = 512;
  const BindSettings& settings = asset.settings;
  return estimate_cost(
      asset_size(asset.input, settings.skeleton,
                 settings.auto_resolution ? usual_auto : settings.options.resolution));
}

std::vector<BatchAsset> split_shard(std::vector<BatchAsset>& assets, const Shard& shard) {
  if (shard.count <= 1) return {};
  std::vector<ShardItem> items;
  items.reserve(assets.size());
  for (const BatchAsset& asset : assets) items.push_back({asset.name, cost_of(asset)});
  const std::vector<int> shards = assign_shards(items, shard.count);
  std::vector<BatchAsset> mine, others;
  for (std::size_t i = 0; i < assets.size(); ++i)
    (shards[i] == shard.index - 1 ? mine : others).push_back(std::move(assets[i]));
  assets = std::move(mine);
  return others;
}

}  // namespace gvbind
