#include "check/nearest_surface.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "gvbind/base/weld.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind::check {
namespace {

using Box = Eigen::AlignedBox3d;

/// Barycentric coordinates of the closest point on the segment from corner `i` to corner `k` of a
/// triangle.
Eigen::Vector3d on_edge(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                        const Eigen::Vector3d& b, int i, int k) {
  const Eigen::Vector3d along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0.0;
  Eigen::Vector3d shares = Eigen::Vector3d::Zero();
  shares[i] = 1.0 - t;
  shares[k] = t;
  return shares;
}

}  // namespace

Eigen::Vector3d closest_on_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                    const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Vector3d normal = (b - a).cross(c - a);
  const double area2 = normal.squaredNorm();
  if (area2 > 0.0) {
    const double u = normal.dot((c - b).cross(p - b)) / area2;
    const double v = normal.dot((a - c).cross(p - c)) / area2;
    const double w = 1.0 - u - v;
    if (u >= 0.0 && v >= 0.0 && w >= 0.0) return {u, v, w};
  }
  const Eigen::Vector3d edges[] = {on_edge(p, a, b, 0, 1), on_edge(p, b, c, 1, 2),
                                   on_edge(p, c, a, 2, 0)};
  const auto distance = [&](const Eigen::Vector3d& s) {
    return (s[0] * a + s[1] * b + s[2] * c - p).squaredNorm();
  };
  return *std::ranges::min_element(edges, {}, distance);
}

std::vector<Eigen::Vector3d> vertex_normals(std::span<const Eigen::Vector3d> positions,
                                            std::span<const Triangle> triangles) {
  std::vector<Eigen::Vector3d> own(positions.size(), Eigen::Vector3d::Zero());
  for (const Triangle& t : triangles) {
    const Eigen::Vector3d area =
        (positions[t[1]] - positions[t[0]]).cross(positions[t[2]] - positions[t[0]]);
    if (area.allFinite())
      for (const std::uint32_t v : t) own[v] += area;
  }
  const std::vector<std::uint32_t> first = welded(positions);
  std::vector<std::uint32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return first[v]; });
  std::vector<Eigen::Vector3d> normals(positions.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && first[order[end]] == first[order[begin]]) ++end;
    // Comparing all pairs would be quadratic for a file of collapsed vertices.
    const bool shares = end - begin <= 64;
    for (std::size_t i = begin; i < end; ++i) {
      Eigen::Vector3d sum = own[order[i]];
      for (std::size_t k = begin; shares && k < end; ++k)
        if (k != i && own[order[i]].dot(own[order[k]]) > 0.0) sum += own[order[k]];
      normals[order[i]] = sum.stableNormalized();
    }
  }
  return normals;
}

NearestSurface::NearestSurface(std::vector<Eigen::Vector3d> positions,
                               std::vector<Triangle> triangles)
    : positions_(std::move(positions)), triangles_(std::move(triangles)) {
  std::erase_if(triangles_, [&](const Triangle& t) {
    return !std::ranges::all_of(
        t, [&](std::uint32_t v) { return v < positions_.size() && positions_[v].allFinite(); });
  });
  Box whole;
  for (const Triangle& t : triangles_)
    for (const std::uint32_t v : t) whole.extend(positions_[v]);
  if (whole.isEmpty()) return;
  low_ = whole.min();
  const double side = whole.sizes().maxCoeff();
  if (side > 0.0) scale_ = (lattice_size - 1) / side;
  std::vector<Box> boxes;
  for (const Triangle& t : triangles_) {
    Box box;
    for (const std::uint32_t v : t) box.extend(on_lattice(positions_[v]));
    boxes.push_back(box);
  }
  bvh_.emplace(boxes);
}

Eigen::Vector3d NearestSurface::on_lattice(const Eigen::Vector3d& p) const {
  return (p - low_) * scale_;
}

std::optional<ClosestPoint> NearestSurface::nearest(const Eigen::Vector3d& point) const {
  if (!bvh_ || !point.allFinite()) return std::nullopt;
  const Eigen::Vector3d p = on_lattice(point);
  double bound = std::numeric_limits<double>::infinity();
  std::optional<ClosestPoint> best;
  bvh_->visit_near([&](const Box& box) { return box.squaredExteriorDistance(p); }, bound,
                   [&](std::uint32_t i) {
                     const Triangle& t = triangles_[i];
                     const Eigen::Vector3d a = on_lattice(positions_[t[0]]),
                                           b = on_lattice(positions_[t[1]]),
                                           c = on_lattice(positions_[t[2]]);
                     const Eigen::Vector3d s = closest_on_triangle(p, a, b, c);
                     const double distance2 = (s[0] * a + s[1] * b + s[2] * c - p).squaredNorm();
                     if (distance2 > bound || (best && distance2 == bound && i > best->triangle))
                       return;
                     bound = distance2;
                     best = ClosestPoint{i, s, std::sqrt(distance2) / scale_};
                   });
  return best;
}

}  // namespace gvbind::check
