#pragma once

// Tested by tests/command/batch_stress_test.py.

#include <vector>

#include "batch/batch_plan.h"
#include "batch/settings.h"
#include "report/batch_report.h"

namespace gvbind {

/// See estimate_cost(). Costs are compared between machines, so that they depend on no machine's
/// memory.
double cost_of(const BatchAsset& asset);

/// Takes the assets of other shards away and returns them.
std::vector<BatchAsset> split_shard(std::vector<BatchAsset>& assets, const Shard& shard);

}  // namespace gvbind
