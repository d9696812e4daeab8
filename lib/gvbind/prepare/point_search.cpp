#include "gvbind/prepare/point_search.h"

#include <algorithm>
#include <limits>

#include "gvbind/base/aabb.h"
#include "gvbind/base/morton_search.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

PointSearch::PointSearch(std::span<const Eigen::Vector3i> points,
                         std::span<const std::uint32_t> among)
    : points_(points) {
  std::vector<std::pair<MortonCode, std::uint32_t>> order;
  order.reserve(among.size());
  for (const std::uint32_t i : among)
    order.emplace_back(morton_code(points[i].cwiseMax(0).cwiseMin(lattice_size)), i);
  std::sort(order.begin(), order.end());
  codes_.reserve(order.size());
  indices_.reserve(order.size());
  for (const auto& [code, i] : order) {
    codes_.push_back(code);
    indices_.push_back(i);
  }
}

std::uint32_t PointSearch::nearest(const Eigen::Vector3i& from) const {
  const Eigen::Vector3d p = from.cast<double>();
  double bound = std::numeric_limits<double>::infinity();
  std::uint32_t best = 0;
  const auto lower = [&](const Eigen::Vector3i& low, int side) {
    const Eigen::Array3d first = low.cast<double>().array();
    return offset_to_box(p, first, first + side).squaredNorm();
  };
  const auto visit = [&](std::size_t i) {
    const double d = (points_[indices_[i]].cast<double>() - p).squaredNorm();
    if (d > bound || (d == bound && indices_[i] > best)) return;
    bound = d;
    best = indices_[i];
  };
  visit_nearest([&](std::size_t i) { return codes_[i]; }, {0, lattice_bits + 1, 0, codes_.size()},
                bound, lower, visit);
  return best;
}

}  // namespace gvbind
