#include "gvbind/fitted/path_hull.h"

#include <Eigen/Core>
#include <cstdint>
#include <limits>

#include "gvbind/base/morton.h"

namespace gvbind {

namespace {

/// A polytope by its smallest and largest x, y, z, x + y, x - y, x + z, x - z, y + z and y - z.
struct Hull {
  using Values = Eigen::Array<int, 9, 1>;
  Values min = Values::Constant(std::numeric_limits<int>::max());
  Values max = Values::Constant(std::numeric_limits<int>::min());

  static Values values(const Eigen::Vector3i& v) {
    const int x = v.x(), y = v.y(), z = v.z();
    Values all;
    all << x, y, z, x + y, x - y, x + z, x - z, y + z, y - z;
    return all;
  }
  void extend(const Eigen::Vector3i& v) {
    min = min.min(values(v));
    max = max.max(values(v));
  }
  void extend_to_neighbors() {
    Values step;
    step << 1, 1, 1, 2, 2, 2, 2, 2, 2;
    min -= step;
    max += step;
  }
  bool contains(const Eigen::Vector3i& v) const {
    return (values(v) >= min).all() && (values(v) <= max).all();
  }
};

}  // namespace

void clear_beyond_hull(const BitGrid& solid, const BoneVoxels& bones, BitGrid& air) {
  Hull hull;
  visit_cells(solid, [&](const Eigen::Vector3i& cell) { hull.extend(cell); });
  for (const std::vector<MortonCode>& bone : bones)
    for (const MortonCode code : bone) hull.extend(morton_cell(code));
  hull.extend_to_neighbors();
  visit_cells(air, [&](const Eigen::Vector3i& cell) {
    if (!hull.contains(cell)) air.clear(cell);
  });
}

}  // namespace gvbind
