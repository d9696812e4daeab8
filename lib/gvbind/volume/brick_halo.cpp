#include "gvbind/volume/brick_halo.h"

#include <cstring>

namespace gvbind {

namespace {

constexpr int brick_side = 1 << SparseVoxels::brick_level;

}  // namespace

void BrickHalo::move_to(MortonCode brick) {
  if (brick == brick_) return;
  brick_ = brick;
  std::memset(finest_, 0, sizeof finest_);
  std::memset(boundary_, 0, sizeof boundary_);
  std::memset(larger_, 0, sizeof larger_);
  const Eigen::Vector3i at = morton_cell(brick);
  const int bricks = v_.resolution / brick_side;
  for (int d = 0; d < direction_count; ++d) {
    const Offset s = offset_of(d);
    const Eigen::Vector3i other = at + Eigen::Vector3i(s.x, s.y, s.z);
    const bool within = (other.array() >= 0).all() && (other.array() < bricks).all();
    load(s, within ? v_.brick[morton_code(other)] : no_voxel);
  }
}

/// What the view has of the brick a step away.
void BrickHalo::load(Offset offset, std::uint32_t entry) {
  const auto from = [](int s) { return s < 0 ? -1 : s * brick_side; };
  const auto to = [](int s) { return s < 0 ? 0 : s == 0 ? brick_side : brick_side + 1; };
  const bool table = entry != no_voxel && (entry & SparseVoxels::brick_table) != 0;
  const std::uint32_t* cells =
      table ? &v_.brick_cells[std::size_t{entry & ~SparseVoxels::brick_table} *
                              SparseVoxels::brick_voxels]
            : nullptr;
  for (int z = from(offset.z); z < to(offset.z); ++z)
    for (int y = from(offset.y); y < to(offset.y); ++y)
      for (int x = from(offset.x); x < to(offset.x); ++x) {
        const std::uint32_t found = table ? cells[morton_code(x & 7, y & 7, z & 7)] : entry;
        leaf_[index(x, y, z)] = found;
        if (found == no_voxel) continue;
        const Leaf& leaf = v_.leaves[found];
        const int row = (z + 1) * side + y + 1;
        const auto bit = static_cast<std::uint16_t>(1u << (x + 1));
        (leaf.level == 0 ? finest_ : larger_)[row] |= bit;
        if (leaf.boundary) boundary_[row] |= bit;
      }
}

}  // namespace gvbind
