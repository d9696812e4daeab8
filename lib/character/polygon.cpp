#include "character/polygon.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "character/clip_ears.h"

namespace gvbind {
namespace {

/// Normal of length 2 * area (Newell).
Eigen::Vector3d normal_of_polygon(std::span<const Eigen::Vector3d> points) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    out += (points[i] - points[0]).cross(points[i + 1] - points[0]);
  return out;
}

/// A corner whose fan consists of triangles with the polygon's orientation only.
std::optional<std::size_t> fan_center(std::span<const Eigen::Vector3d> points,
                                      const Eigen::Vector3d& normal) {
  const std::size_t count = points.size();
  const auto at = [&](std::size_t i) { return points[i % count]; };
  std::size_t looks = 4096 + 64 * count;
  for (std::size_t center = 0; center < count && looks > 0; ++center) {
    bool good = true;
    for (std::size_t i = center + 1; good && looks > 0 && i + 1 < center + count; ++i, --looks)
      good = (at(i) - at(center)).cross(at(i + 1) - at(center)).dot(normal) >= 0.0;
    if (good && looks > 0) return center;
  }
  return std::nullopt;
}

/// Whether reversed triangles of the fan around the first corner are small enough to be rounding
/// errors.
bool is_nearly_fan(std::span<const Eigen::Vector3d> points, const Eigen::Vector3d& normal) {
  double other_way = 0.0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    other_way -=
        std::min(0.0, (points[i] - points[0]).cross(points[i + 1] - points[0]).dot(normal));
  return other_way <= 1e-6 * normal.squaredNorm();
}

std::vector<Eigen::Vector2d> in_plane(std::span<const Eigen::Vector3d> points,
                                      const Eigen::Vector3d& normal) {
  // Projects along an axis, so that corners in an axis-aligned plane keep exact coordinates.
  Eigen::Index across = 0, least = 0;
  normal.cwiseAbs().maxCoeff(&across);
  normal.cwiseAbs().minCoeff(&least);
  const Eigen::Vector3d n = (normal / std::abs(normal[across])).normalized();
  const Eigen::Vector3d v = n.cross(Eigen::Vector3d::Unit(least)).normalized(), u = v.cross(n);
  std::vector<Eigen::Vector2d> out;
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector3d away = point - points[0];
    out.push_back({u.dot(away), v.dot(away)});
  }
  return out;
}

}  // namespace

void polygon_triangles(std::span<const Eigen::Vector3d> points, std::uint32_t first,
                       std::vector<Triangle>& out) {
  const std::size_t count = points.size();
  if (count < 3) return;
  if (count == 3) {
    out.push_back({first, first + 1, first + 2});
    return;
  }
  const Eigen::Vector3d normal = normal_of_polygon(points);
  std::optional<std::size_t> center = fan_center(points, normal);
  if (!center && is_nearly_fan(points, normal)) center = 0;
  if (center) {
    const auto corner = [&](std::size_t i) {
      return first + static_cast<std::uint32_t>(i % count);
    };
    for (std::size_t i = *center + 1; i + 1 < *center + count; ++i)
      out.push_back({corner(*center), corner(i), corner(i + 1)});
    return;
  }
  for (Triangle triangle : clip_ears(in_plane(points, normal))) {
    for (auto& corner : triangle) corner += first;
    out.push_back(triangle);
  }
}

bool is_convex(std::span<const Eigen::Vector3d> points) {
  const std::size_t count = points.size();
  const Eigen::Vector3d normal = normal_of_polygon(points);
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Vector3d before = points[(i + 1) % count] - points[i];
    const Eigen::Vector3d after = points[(i + 2) % count] - points[(i + 1) % count];
    if (before.cross(after).dot(normal) < 0.0) return false;
  }
  return true;
}

}  // namespace gvbind
