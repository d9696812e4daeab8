#pragma once

// Tested by tests/command/limits_test.py.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "io/read_limits.h"

namespace gvbind {

/// The properties of an asset that are known before it is read.
struct AssetSize {
  std::uintmax_t file_bytes = 0;  ///< of input and skeleton
  int resolution = 256;           ///< voxels per side
};

/// From the sizes on disk; a missing file counts as empty. `skeleton` may be an empty path.
AssetSize asset_size(const std::filesystem::path& input, const std::filesystem::path& skeleton,
                     int resolution);

/// Estimated peak memory of binding the asset, in bytes: an upper estimate from characters measured
/// at 256 and 1024. `earlier_peak` is the peak of an earlier bind with the same settings, or 0.
std::size_t estimate_memory(const AssetSize& size, std::size_t earlier_peak = 0);

/// The finest resolution among max_resolution, its half, quarter and so on, at which a file of this
/// size is estimated to fit in `limit` bytes; at least min_resolution.
int finest_within(std::uintmax_t file_bytes, std::size_t limit, int min_resolution,
                  int max_resolution);

/// Makes allocations throw std::bad_alloc once this process, or one that it forks, has allocated
/// `bytes` more than now. Memory that is reserved for threads does not count.
void limit_memory(std::uint64_t bytes);

/// Limits the process to `threads` working threads (0: one per core). Signals that end the process
/// are handled only on the calling threads: a handler that deletes files must not run beside the
/// thread that is writing them. To be called after fork() and before the first parallel work.
void set_up_threads(int threads);

}  // namespace gvbind
