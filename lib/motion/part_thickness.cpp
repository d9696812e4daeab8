#include "motion/part_thickness.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "gvbind/base/bvh.h"
#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr double ray_lattice = 1 << 20;
constexpr double no_distance = 1e-9;  ///< relative to the box; hits nearer than this are the point
constexpr double border = 1e-9;       ///< of a triangle; no ray passes between two
constexpr std::size_t rays_at_once = 256;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Ray {
  Eigen::Vector3d origin, direction;
};

/// Distance along the ray to where it enters the box; infinity if it does not.
double entry(const Ray& ray, const Bvh::Box& box) {
  double from = 0.0, to = infinite;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = ray.direction[axis];
    const double low = box.min()[axis] - ray.origin[axis],
                 high = box.max()[axis] - ray.origin[axis];
    if (d == 0.0) {
      if (low > 0.0 || high < 0.0) return infinite;
      continue;
    }
    from = std::max(from, std::min(low / d, high / d));
    to = std::min(to, std::max(low / d, high / d));
  }
  return from <= to ? from : infinite;
}

/// Distance along the ray to the triangle a, b, c, from either side; infinity if it is missed.
double hit(const Ray& ray, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
           const Eigen::Vector3d& c) {
  const Eigen::Vector3d u = b - a, v = c - a, p = ray.direction.cross(v), s = ray.origin - a;
  const double det = u.dot(p);
  if (det == 0.0) return infinite;
  const Eigen::Vector3d q = s.cross(u);
  const double at_u = s.dot(p) / det, at_v = ray.direction.dot(q) / det;
  if (at_u < -border || at_v < -border || at_u + at_v > 1.0 + border) return infinite;
  const double distance = v.dot(q) / det;
  return distance > 0.0 ? distance : infinite;
}

/// The nearest hit of a ray from a point, whose own triangles do not count.
double nearest_hit(const Bvh& bvh, const VolumePart& part, std::span<const Eigen::Vector3d> lattice,
                   std::uint32_t point, const Ray& ray) {
  double nearest = infinite, bound = ray_lattice * 4.0;
  bvh.visit_near([&](const Bvh::Box& box) { return entry(ray, box); }, bound,
                 [&](std::uint32_t i) {
                   const Triangle& t = part.triangles[i];
                   if (t[0] == point || t[1] == point || t[2] == point) return;
                   const double at = hit(ray, lattice[t[0]], lattice[t[1]], lattice[t[2]]);
                   if (at > no_distance * ray_lattice && at < nearest) nearest = bound = at;
                 });
  return nearest;
}

}  // namespace

std::vector<double> thickness_of(const VolumePart& part, std::span<const Eigen::Vector3d> points) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : points) box.extend(p);
  std::vector<double> thickness(part.nodes.size(), infinite);
  if (box.isEmpty() || !(box.sizes().maxCoeff() > 0.0)) return thickness;
  const double scale = ray_lattice / box.sizes().maxCoeff();
  std::vector<Eigen::Vector3d> lattice;
  for (const Eigen::Vector3d& p : points) lattice.emplace_back((p - box.min()) * scale);
  std::vector<Bvh::Box> boxes(part.triangles.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (const std::uint32_t p : part.triangles[i]) boxes[i].extend(lattice[p]);
  const Bvh bvh(boxes);
  const std::vector<Eigen::Vector3d> normals = point_normals(part, points);
  const double inward = part.volume < 0.0 ? 1.0 : -1.0;
  parallel_for(thickness.size(), rays_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p)
      if (!normals[p].isZero(0.0))
        thickness[p] = nearest_hit(bvh, part, lattice, static_cast<std::uint32_t>(p),
                                   {lattice[p], inward * normals[p]}) /
                       scale;
  });
  return thickness;
}

double area_quantile(std::span<const double> values, std::span<const double> area,
                     double fraction) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  const double total = std::accumulate(area.begin(), area.end(), 0.0);
  double sum = 0.0;
  for (const std::size_t i : order)
    if ((sum += area[i]) > fraction * total) return values[i];
  return infinite;
}

}  // namespace gvbind::motion
