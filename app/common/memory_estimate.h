#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

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

/// What the machine has, in bytes.
std::size_t physical_memory();

}  // namespace gvbind
