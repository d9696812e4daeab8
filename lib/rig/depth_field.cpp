#include "rig/depth_field.h"

#include <algorithm>

#include "gvbind/base/parallel.h"

namespace gvbind::rig {

namespace {

constexpr std::int32_t far_away = 1 << 28;

/// Lower envelope of parabolas (Felzenszwalb and Huttenlocher 2012).
void transform_row(std::vector<std::int32_t>& row, std::vector<int>& at,
                   std::vector<double>& from) {
  const int n = static_cast<int>(row.size());
  int top = -1;
  for (int q = 0; q < n; ++q) {
    if (row[q] >= far_away) continue;
    double meet = -1.0;
    while (top >= 0) {
      const int p = at[top];
      meet = ((row[q] + static_cast<double>(q) * q) - (row[p] + static_cast<double>(p) * p)) /
             (2.0 * (q - p));
      if (meet > from[top]) break;
      --top;
    }
    ++top;
    at[top] = q;
    from[top] = top == 0 ? -1e30 : meet;
  }
  if (top < 0) return;
  std::vector<std::int32_t> result(row.size());
  int k = 0;
  for (int q = 0; q < n; ++q) {
    while (k < top && from[k + 1] < q) ++k;
    result[q] = (q - at[k]) * (q - at[k]) + row[at[k]];
  }
  row = std::move(result);
}

}  // namespace

std::vector<std::int32_t> squared_depths(const std::vector<bool>& solid,
                                         const Eigen::Vector3i& extent) {
  std::vector<std::int32_t> depth(solid.size());
  for (std::size_t i = 0; i < solid.size(); ++i) depth[i] = solid[i] ? far_away : 0;
  const std::size_t stride[3] = {1, static_cast<std::size_t>(extent.x()),
                                 static_cast<std::size_t>(extent.x()) * extent.y()};
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto lines = static_cast<std::size_t>(extent[u]) * extent[v];
    parallel_for(lines, 64, [&](std::size_t begin, std::size_t end) {
      std::vector<std::int32_t> row(extent[axis]);
      std::vector<int> at(row.size());
      std::vector<double> from(row.size() + 1);
      for (std::size_t line = begin; line < end; ++line) {
        const std::size_t first = line % extent[u] * stride[u] + line / extent[u] * stride[v];
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = depth[first + i * stride[axis]];
        transform_row(row, at, from);
        for (std::size_t i = 0; i < row.size(); ++i) depth[first + i * stride[axis]] = row[i];
      }
    });
  }
  return depth;
}

}  // namespace gvbind::rig
