#include "common/resources.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <system_error>

#include "gvbind/base/parallel.h"
#include "platform/session.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t process_bytes = 40u << 20;
// Covers documents, positions, adjacency, and the copy that is read back.
constexpr std::size_t bytes_of_file_byte = 20;
// One bit per voxel: the boundary and the votes of three axes.
constexpr std::size_t grids_at_once = 4;
// Per voxel of one side of the grid. Characters at 1024 take 320 to 1270.
constexpr std::size_t bytes_of_surface_voxel = 1300;

std::uintmax_t bytes_of(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = path.empty() ? 0 : fs::file_size(path, error);
  return error ? 0 : size;
}

}  // namespace

AssetSize asset_size(const fs::path& input, const fs::path& skeleton, int resolution) {
  return {bytes_of(input) + bytes_of(skeleton), resolution};
}

std::size_t estimate_memory(const AssetSize& size, std::size_t earlier_peak) {
  const std::size_t side = static_cast<std::size_t>(size.resolution);
  const std::size_t guess = process_bytes + bytes_of_file_byte * size.file_bytes +
                            grids_at_once * side * side * side / 8 +
                            bytes_of_surface_voxel * side * side;
  // A measured peak is better than an estimate; allow a quarter more for changes of the file.
  return earlier_peak > 0 ? earlier_peak + earlier_peak / 4 : guess;
}

int finest_within(std::uintmax_t file_bytes, std::size_t limit, int min_resolution,
                  int max_resolution) {
  int resolution = max_resolution;
  while (resolution > min_resolution && estimate_memory({file_bytes, resolution}) > limit)
    resolution /= 2;
  return resolution;
}

void limit_memory(std::uint64_t bytes) { platform::limit_allocations(bytes); }

void set_up_threads(int threads) { set_up_pool(threads, platform::block_ending_signals); }

}  // namespace gvbind
