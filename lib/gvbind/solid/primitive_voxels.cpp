#include "gvbind/solid/primitive_voxels.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

constexpr std::size_t rows_per_task = 64;

/// Centers of voxels in bind space.
class VoxelCenters {
 public:
  VoxelCenters(const UnitCube& cube, int resolution)
      : side_(voxel_size(resolution) / cube.scale),
        first_(cube.center.array() + 0.5 * side_ - 0.5 * lattice_size / cube.scale) {}

  Eigen::Vector3d operator()(int x, int y, int z) const {
    return first_ + side_ * Eigen::Vector3d(x, y, z);
  }
  /// The cells around a box, clipped to the grid; empty if first > last.
  struct Cells {
    Eigen::Array3i first, last;
  };
  Cells cells(const Eigen::AlignedBox3d& box, int resolution) const {
    const auto cell = [&](const Eigen::Vector3d& p, double rounding) {
      const Eigen::Array3d at = (p - first_).array() / side_ + rounding;
      return at.max(-1.0).min(resolution).cast<int>().eval();
    };
    return {cell(box.min(), -1.0).max(0), cell(box.max(), 1.0).min(resolution - 1)};
  }

 private:
  double side_;
  Eigen::Vector3d first_;
};

/// The smallest x in [low, high) for which the monotonic `is_true` holds, else high.
template <class IsTrue>
int first_true(int low, int high, const IsTrue& is_true) {
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (is_true(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// A convex primitive meets a row in a single run, because the distance along the row first falls,
/// then rises.
std::optional<VoxelRun> run_of(const Primitive& primitive, const VoxelCenters& centers, int low,
                               int high, int y, int z) {
  const auto distance = [&](int x) { return distance_to(primitive, centers(x, y, z)); };
  int from = low, to = high;
  while (to - from > 2) {
    const int left = from + (to - from) / 3, right = to - (to - from) / 3;
    if (distance(left) < distance(right))
      to = right;
    else
      from = left;
  }
  for (int x = from; x <= to; ++x) {
    if (distance(x) > 0.0) continue;
    const int first = first_true(low, x, [&](int at) { return distance(at) <= 0.0; });
    const int end = first_true(x, high + 1, [&](int at) { return distance(at) > 0.0; });
    return VoxelRun{first, end - 1, y, z};
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t run_mask(const VoxelRun& run, int word) {
  const int low = std::max(run.first - 64 * word, 0), high = std::min(run.last - 64 * word, 63);
  if (low > high) return 0;
  return ~std::uint64_t{0} << low & ~std::uint64_t{0} >> (63 - high);
}

void visit_voxels(const Primitive& primitive, const UnitCube& cube, int resolution,
                  const std::function<void(const VoxelRun& run)>& visit) {
  const VoxelCenters centers(cube, resolution);
  const VoxelCenters::Cells cells = centers.cells(bounds_of(primitive), resolution);
  const Eigen::Array3i first = cells.first, last = cells.last;
  if ((first > last).any()) return;
  const auto rows_y = static_cast<std::size_t>(last.y() - first.y() + 1);
  const std::size_t rows = rows_y * static_cast<std::size_t>(last.z() - first.z() + 1);
  parallel_for(rows, rows_per_task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const int y = first.y() + static_cast<int>(row % rows_y);
      const int z = first.z() + static_cast<int>(row / rows_y);
      if (const auto run = run_of(primitive, centers, first.x(), last.x(), y, z)) visit(*run);
    }
  });
}

std::vector<MortonCode> voxels_within(const Primitive& primitive, const UnitCube& cube,
                                      const BitGrid& grid) {
  std::vector<MortonCode> codes;
  std::mutex guard;
  visit_voxels(primitive, cube, grid.resolution, [&](const VoxelRun& run) {
    const std::lock_guard lock(guard);
    for (int x = run.first; x <= run.last; ++x)
      if (grid.test(x, run.y, run.z)) codes.push_back(morton_code(x, run.y, run.z));
  });
  if (primitive.kind == Primitive::Kind::sphere && primitive.radius == 0.0) {
    const Eigen::Vector3i cell =
        cube.to_lattice(primitive.frame * primitive.a).array() / (lattice_size / grid.resolution);
    if (cell.minCoeff() >= 0 && cell.maxCoeff() < grid.resolution && grid.test(cell))
      codes.push_back(morton_code(cell));
  }
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

}  // namespace gvbind
