#pragma once

// Tested by tests/unit/batch/schedule_test.cpp.

#include <string>
#include <vector>

#include "batch/batch_plan.h"
#include "batch/settings.h"
#include "common/resources.h"
#include "report/batch_report.h"

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

/// See estimate_cost(). Costs are compared between machines, so that they depend on no machine's
/// memory.
double cost_of(const BatchAsset& asset);

/// Takes the assets of other shards away and returns them.
std::vector<BatchAsset> split_shard(std::vector<BatchAsset>& assets, const Shard& shard);

}  // namespace gvbind
