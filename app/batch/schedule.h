#pragma once

#include <string>
#include <vector>

#include "common/memory_estimate.h"

namespace gvbind {

/// Seconds on one core, more or less; good enough to put the expensive assets first.
double estimate_cost(const AssetSize& size);

struct ShardItem {
  std::string name;
  double cost = 0.0;
};

/// The shard (0 to count - 1) of every item, so that the costs of all shards are about equal: the
/// most expensive item goes first, each to the shard with the least so far. The answer depends on
/// names and costs alone, not on the order of the items, so every machine of a farm comes to the
/// same one.
std::vector<int> assign_shards(const std::vector<ShardItem>& items, int count);

}  // namespace gvbind
