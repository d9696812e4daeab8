#include "rig/symmetry_plane.h"

#include <algorithm>
#include <cstdlib>

namespace gvbind::rig {

namespace {

constexpr float deep = 1.5f;  // voxels; cells near the surface depend on the voxelization

std::vector<std::uint32_t> deep_cells(const BodyVolume& body) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t c = 0; c < body.cells.size(); ++c)
    if (body.depths[c] > deep) found.push_back(c);
  if (found.size() * 10 < body.cells.size()) {
    found.clear();
    for (std::uint32_t c = 0; c < body.cells.size(); ++c) found.push_back(c);
  }
  return found;
}

}  // namespace

SymmetryPlane find_symmetry_plane(const BodyVolume& body, int axis) {
  const std::vector<std::uint32_t> cells = deep_cells(body);
  // Twice the plane's position.
  const int middle = 2 * body.low[axis] + body.extent[axis], reach = body.extent[axis] / 2;
  SymmetryPlane best{axis, middle / 2.0, -1.0};
  int best_offset = 0;
  for (int k = middle - reach; k <= middle + reach; ++k) {
    std::size_t met = 0;
    for (const std::uint32_t c : cells) {
      Eigen::Vector3i image = body.cells[c];
      image[axis] = k - 1 - image[axis];
      met += body.find(image) != no_cell;
    }
    const double share = static_cast<double>(met) / static_cast<double>(cells.size());
    const int offset = std::abs(k - middle);
    if (share > best.share || (share == best.share && offset < best_offset)) {
      best = {axis, k / 2.0, share};
      best_offset = offset;
    }
  }
  return best;
}

}  // namespace gvbind::rig
