#pragma once

// Tested by tests/command/limits_test.py.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "io/read_limits.h"

namespace gvbind {

/// What is known of an asset before it is read.
struct AssetSize {
  std::uintmax_t file_bytes = 0;  ///< input and skeleton
  int resolution = 256;           ///< voxels per side
};

/// By the disk; a file that is not there counts nothing. `skeleton` may be empty.
AssetSize asset_size(const std::filesystem::path& input, const std::filesystem::path& skeleton,
                     int resolution);

/// Bytes that a process will hold at its peak while it binds the asset: a guess on the high side,
/// from characters measured at 256 and 1024. `earlier_peak` is what it held when it was bound
/// before with the same settings, or 0.
std::size_t estimate_memory(const AssetSize& size, std::size_t earlier_peak = 0);

/// The finest resolution, of powers of two from `least` to `most`, at which a file of this size
/// is estimated to fit in so many bytes; `least` where none is.
int finest_within(std::uintmax_t file_bytes, std::size_t limit, int min_resolution,
                  int max_resolution);

/// From now on what this process asks for beyond so many bytes, besides what it has and some that
/// threads reserve, is std::bad_alloc, here and in the processes that it forks.
void limit_memory(std::uint64_t bytes);

/// From now on the process has so many threads at work (0: one per core). Signals that end the
/// process are handled on the calling threads alone: a handler that removes files must not run
/// beside the thread that is writing them. To be called before the first parallel work, after
/// fork().
void set_up_threads(int threads);

}  // namespace gvbind
