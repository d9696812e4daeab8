#include "motion/volume_parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gvbind/base/disjoint_sets.h"
#include "gvbind/prepare/open_edges.h"
#include "motion/part_thickness.h"

namespace gvbind::motion {

namespace {

/// Relative to the component's own area; larger caps make it open. Shirts have 0.15, skirts 0.3.
constexpr double max_cap = 0.2;
/// Relative to area^1.5; a smaller volume means nothing is enclosed.
constexpr double min_volume = 1e-7;

constexpr double most_of_area = 0.9;
/// Relative to the square root of half of the area, the width of a square with two faces.
constexpr double max_thin = 0.1;
/// Volume over area times thickness: 1/2 between two faces, 1/4 in a tube, 1/6 in a ball.
constexpr double min_two_faced = 0.35;

/// Three-way comparison by position, mask and weights.
int compared(const PoseSurface& surface, std::span<const double> mask, std::uint32_t a,
             std::uint32_t b) {
  const auto order = [](auto x, auto y) { return x < y ? -1 : y < x ? 1 : 0; };
  for (int axis = 0; axis < 3; ++axis)
    if (const int o = order(surface.rest[a][axis], surface.rest[b][axis])) return o;
  if (!mask.empty())
    if (const int o = order(mask[a], mask[b])) return o;
  const std::size_t i = surface.first_influence[a], j = surface.first_influence[b];
  const std::size_t count = surface.first_influence[a + 1] - i;
  if (const int o = order(count, surface.first_influence[b + 1] - j)) return o;
  for (std::size_t k = 0; k < count; ++k) {
    if (const int o = order(surface.joint[i + k], surface.joint[j + k])) return o;
    if (const int o = order(surface.weight[i + k], surface.weight[j + k])) return o;
  }
  return 0;
}

void weld(const PoseSurface& surface, std::span<const double> mask, VolumeParts& out) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < surface.vertex_count(); ++v)
    if (surface.rest[v].allFinite()) order.push_back(v);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const int o = compared(surface, mask, a, b);
    return o != 0 ? o < 0 : a < b;
  });
  std::vector<std::uint32_t> same(surface.vertex_count());
  std::iota(same.begin(), same.end(), 0U);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (compared(surface, mask, order[i - 1], order[i]) == 0) same[order[i]] = same[order[i - 1]];
  out.node_of.resize(surface.vertex_count());
  for (std::uint32_t v = 0; v < surface.vertex_count(); ++v) {
    out.node_of[v] =
        same[v] == v ? static_cast<std::uint32_t>(out.vertex.size()) : out.node_of[same[v]];
    if (same[v] == v) out.vertex.push_back(v);
  }
}

std::vector<Triangle> welded_triangles(const PoseSurface& surface, const VolumeParts& parts) {
  std::vector<Triangle> triangles;
  for (const Triangle& t : surface.triangles) {
    const Triangle w = {parts.node_of[t[0]], parts.node_of[t[1]], parts.node_of[t[2]]};
    if (w[0] != w[1] && w[1] != w[2] && w[2] != w[0]) triangles.push_back(w);
  }
  return triangles;
}

/// Splits triangles into connected components with their own points.
void cut(const std::vector<Triangle>& triangles, VolumeParts& out) {
  constexpr std::uint32_t none = UINT32_MAX;
  DisjointSets sets(out.vertex.size());
  for (const Triangle& t : triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[1], t[2]);
  }
  std::vector<std::uint32_t> part_of(out.vertex.size(), none), point_of(out.vertex.size(), none);
  for (const Triangle& t : triangles) {
    std::uint32_t& part = part_of[sets.root(t[0])];
    if (part == none) {
      part = static_cast<std::uint32_t>(out.parts.size());
      out.parts.emplace_back();
    }
    VolumePart& to = out.parts[part];
    Triangle points;
    for (std::size_t k = 0; k < 3; ++k) {
      if (point_of[t[k]] == none) {
        point_of[t[k]] = static_cast<std::uint32_t>(to.nodes.size());
        to.nodes.push_back(t[k]);
      }
      points[k] = point_of[t[k]];
    }
    to.triangles.push_back(points);
  }
}

/// Closes each open loop by a fan around one center.
void close(VolumePart& part) {
  std::vector<std::uint32_t> itself(part.nodes.size());
  std::iota(itself.begin(), itself.end(), 0U);
  const OpenLoops open = open_loops(part.triangles, itself);
  for (std::uint32_t loop = 0; loop < open.count(); ++loop) {
    const auto center = static_cast<std::uint32_t>(part.nodes.size()) + loop;
    std::vector<std::uint32_t>& around = part.caps.emplace_back();
    for (std::uint32_t i = open.first[loop]; i < open.first[loop + 1]; ++i) {
      const OpenEdge& e = open.edges[i];
      around.push_back(e.from);
      around.push_back(e.to);
      for (std::uint32_t n = 0; n < e.surfaces; ++n)
        part.triangles.push_back({e.to, e.from, center});
    }
  }
}

std::vector<double> node_areas(const VolumePart& part, std::span<const Eigen::Vector3d> points) {
  std::vector<double> area(part.nodes.size(), 0.0);
  for (const Triangle& t : part.triangles) {
    const double twice = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).norm();
    for (const std::uint32_t p : t)
      if (p < area.size()) area[p] += twice / 6.0;
  }
  return area;
}

PartKind kind_of(const VolumePart& part, std::span<const double> area) {
  if (!(std::abs(part.volume) > min_volume * std::pow(part.area, 1.5)) ||
      part.cap_area > max_cap * part.area)
    return PartKind::open;
  const double thickness = area_quantile(part.thickness, area, most_of_area);
  const bool thin = thickness < max_thin * std::sqrt(0.5 * part.area);
  const double middle = area_quantile(part.thickness, area, 0.5);
  const bool two_faced = std::abs(part.volume) > min_two_faced * middle * part.area;
  return thin && two_faced ? PartKind::thin : PartKind::solid;
}

void measure(const PoseSurface& surface, const VolumeParts& all, std::size_t own_triangles,
             VolumePart& part) {
  std::vector<Eigen::Vector3d> points(part.point_count());
  for (std::size_t i = 0; i < part.nodes.size(); ++i)
    points[i] = surface.rest[all.vertex[part.nodes[i]]];
  fill_caps(part, points);
  part.volume = volume_of(part, points);
  for (std::size_t i = 0; i < part.triangles.size(); ++i) {
    const Triangle& t = part.triangles[i];
    const double area =
        0.5 * (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).norm();
    (i < own_triangles ? part.area : part.cap_area) += area;
  }
  part.thickness = thickness_of(part, points);
  part.kind = kind_of(part, node_areas(part, points));
}

}  // namespace

VolumeParts volume_parts(const PoseSurface& surface, std::span<const double> mask) {
  VolumeParts out;
  weld(surface, mask, out);
  cut(welded_triangles(surface, out), out);
  for (VolumePart& part : out.parts) {
    const std::size_t own = part.triangles.size();
    close(part);
    measure(surface, out, own, part);
  }
  return out;
}

void fill_caps(const VolumePart& part, std::vector<Eigen::Vector3d>& points) {
  for (std::size_t c = 0; c < part.caps.size(); ++c) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const std::uint32_t point : part.caps[c]) sum += points[point];
    points[part.nodes.size() + c] = sum / static_cast<double>(part.caps[c].size());
  }
}

double volume_of(const VolumePart& part, std::span<const Eigen::Vector3d> points) {
  double sum = 0.0;
  for (const Triangle& t : part.triangles)
    sum +=
        (points[t[0]] - points[0]).dot((points[t[1]] - points[0]).cross(points[t[2]] - points[0]));
  return sum / 6.0;
}

std::array<double, 4> volume_polynomial(const VolumePart& part,
                                        std::span<const Eigen::Vector3d> points,
                                        std::span<const Eigen::Vector3d> directions) {
  std::array<double, 4> sum = {};
  for (const Triangle& t : part.triangles) {
    const Eigen::Vector3d a = points[t[0]] - points[0], b = points[t[1]] - points[0],
                          c = points[t[2]] - points[0];
    const Eigen::Vector3d bc = b.cross(c);
    sum[0] += a.dot(bc);
    const Eigen::Vector3d &u = directions[t[0]], &v = directions[t[1]], &w = directions[t[2]];
    if (u.isZero(0.0) && v.isZero(0.0) && w.isZero(0.0)) continue;
    const Eigen::Vector3d vw = v.cross(w), mixed = b.cross(w) + v.cross(c);
    sum[1] += a.dot(mixed) + u.dot(bc);
    sum[2] += a.dot(vw) + u.dot(mixed);
    sum[3] += u.dot(vw);
  }
  for (double& value : sum) value /= 6.0;
  return sum;
}

std::vector<Eigen::Vector3d> point_normals(const VolumePart& part,
                                           std::span<const Eigen::Vector3d> points) {
  std::vector<Eigen::Vector3d> normals(points.size(), Eigen::Vector3d::Zero());
  for (const Triangle& t : part.triangles) {
    const Eigen::Vector3d normal = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
    for (const std::uint32_t point : t) normals[point] += normal;
  }
  for (Eigen::Vector3d& normal : normals)
    if (const double length = normal.norm(); length > 0.0) normal /= length;
  return normals;
}

}  // namespace gvbind::motion
