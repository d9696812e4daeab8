#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gvbind {

/// What is known of an asset before it is read.
struct AssetSize {
  std::uintmax_t file_bytes = 0;  ///< input and skeleton
  int resolution = 256;           ///< voxels a side
};

/// Bytes that a worker will hold at its peak: a guess on the high side, from characters measured at
/// 128 to 1024. `earlier_peak` is what it held when it was bound before with the same settings, or
/// 0.
std::size_t estimate_memory(const AssetSize& size, std::size_t earlier_peak = 0);

/// Seconds on one core, more or less; good enough to put the dear assets first.
double estimate_cost(const AssetSize& size);

struct ShardItem {
  std::string name;
  double cost = 0.0;
};

/// The shard (0 to count - 1) of every item, so that the costs of all shards are about equal: the
/// dearest item goes first, each to the shard with the least so far. The answer depends on names
/// and costs alone, not on the order of the items, so every machine of a farm comes to the same
/// one.
std::vector<int> assign_shards(const std::vector<ShardItem>& items, int count);

}  // namespace gvbind
