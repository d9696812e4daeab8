#include "batch/shards.h"

#include <utility>

#include "batch/triage.h"
#include "common/resources.h"

namespace gvbind {

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
