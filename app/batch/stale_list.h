#pragma once

// Tested by tests/command/stale_list_test.py.

#include <string>
#include <vector>

#include "batch/batch_plan.h"
#include "batch/shards.h"
#include "batch/triage.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The assets of a batch that were not up to date when --save-stale looked. Shards share it so that
/// they split these evenly. It decides nothing else: each shard still judges its assets itself.
struct StaleList {
  std::vector<ShardItem> items;  ///< names are valid UTF-8; costs as they were then
};

/// Whole or not at all. Throws Error(output).
void write_stale_list(const std::string& path, const std::vector<BatchAsset>& assets,
                      const std::vector<Verdict>& verdicts);

/// Throws Error(input) where it cannot be read, is no such list, or is of another version.
StaleList read_stale_list(const std::string& path);

/// As split_shard(), by the list: its assets by their cost, every other one by its name alone. So
/// an asset that appears, changes or vanishes while shards run moves no other one.
std::vector<BatchAsset> split_by_list(std::vector<BatchAsset>& assets, const StaleList& list,
                                      const Shard& shard);

/// The differences between the list and the assets of this shard: those to bind that it lacks, and,
/// from the first shard, assets that are gone.
Findings compare_with_list(const std::string& path, const StaleList& list,
                           const std::vector<BatchAsset>& assets,
                           const std::vector<Verdict>& verdicts,
                           const std::vector<BatchAsset>& others, const Shard& shard);

}  // namespace gvbind
