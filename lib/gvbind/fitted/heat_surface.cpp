#include "gvbind/fitted/heat_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "gvbind/base/bucket_sort.h"
#include "gvbind/base/disjoint_sets.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

namespace {

constexpr double start_offset = 1e-5;  // of the way to the point, so that a place is not in its way
constexpr double edge_margin = 1e-9;   // a ray through an edge hits a triangle there, in any order
constexpr double least_facing = 1e-3;  // cosine below which a ray runs along a triangle

struct Hit {
  double at;      ///< along the ray
  double facing;  ///< cosine of the triangle's normal and the ray; positive: the ray leaves
};

/// Moeller and Trumbore 1997; `at` is infinite for a miss.
Hit hit_triangle(const HeatSurface& surface, const Triangle& triangle, const Eigen::Vector3d& from,
                 const Eigen::Vector3d& direction) {
  constexpr Hit miss = {std::numeric_limits<double>::infinity(), 0.0};
  const Eigen::Vector3d& a = surface.position[triangle[0]];
  const Eigen::Vector3d ab = surface.position[triangle[1]] - a;
  const Eigen::Vector3d ac = surface.position[triangle[2]] - a;
  const Eigen::Vector3d p = direction.cross(ac);
  const double determinant = ab.dot(p);
  if (determinant == 0.0) return miss;
  const Eigen::Vector3d t = from - a;
  const double u = t.dot(p) / determinant;
  if (u < -edge_margin || u > 1.0 + edge_margin) return miss;
  const Eigen::Vector3d q = t.cross(ab);
  const double v = direction.dot(q) / determinant;
  if (v < -edge_margin || u + v > 1.0 + edge_margin) return miss;
  const Eigen::Vector3d normal = ab.cross(ac);
  return {ac.dot(q) / determinant, normal.dot(direction) / normal.norm()};
}

/// Where a ray enters a box, 0 from inside, infinite for a miss.
double box_entry(const Bvh::Box& box, const Eigen::Vector3d& from, const Eigen::Vector3d& inverse) {
  double near = 0.0, far = std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double a = (box.min()[k] - from[k]) * inverse[k];
    const double b = (box.max()[k] - from[k]) * inverse[k];
    if (std::isnan(a) || std::isnan(b)) continue;  // parallel to the slab and on its face
    near = std::max(near, std::min(a, b));
    far = std::min(far, std::max(a, b));
  }
  return near <= far ? near : std::numeric_limits<double>::infinity();
}

/// Smaller means of normals are rounding errors.
constexpr double min_mean_normal = 1e-3;

void find_normals(HeatSurface& surface) {
  surface.normal.assign(surface.count(), Eigen::Vector3d::Zero());
  std::vector<int> around(surface.count(), 0);
  for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
    if (surface.two_sided[i]) continue;
    const Triangle& t = surface.triangles[i];
    const Eigen::Vector3d& a = surface.position[t[0]];
    const Eigen::Vector3d normal =
        (surface.position[t[1]] - a).cross(surface.position[t[2]] - a).normalized();
    for (const std::uint32_t corner : t) {
      surface.normal[corner] += normal;
      ++around[corner];
    }
  }
  for (std::size_t p = 0; p < surface.count(); ++p) {
    Eigen::Vector3d& normal = surface.normal[p];
    if (normal.norm() > min_mean_normal * around[p])
      normal.normalize();
    else
      normal.setZero();
  }
}

void find_pieces(HeatSurface& surface) {
  DisjointSets sets(surface.count());
  for (const Triangle& t : surface.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[0], t[2]);
  }
  for (std::uint32_t p = 0; p < surface.count(); ++p) surface.piece.push_back(sets.root(p));
}

bool is_line(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  constexpr double least_height = 2.0 / lattice_size;
  const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  return (b - a).cross(c - a).norm() <= least_height * longest;
}

enum class Sides : std::uint8_t { none, one, two };

/// By triangle; none: another one is on its places, or it has no area.
std::vector<Sides> distinct_triangles(const HeatSurface& surface,
                                      std::span<const Triangle> triangles) {
  struct Sorted {
    Triangle places;
    std::uint32_t index;
    bool turned;
  };
  std::vector<Sorted> sorted;
  sorted.reserve(triangles.size());
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    Triangle t = triangles[i];
    for (std::uint32_t& corner : t) corner = surface.place[corner];
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    const bool turned = t[1] > t[2];
    if (turned) std::swap(t[1], t[2]);
    if (t[0] == t[1] || t[1] == t[2]) continue;
    if (is_line(surface.position[t[0]], surface.position[t[1]], surface.position[t[2]])) continue;
    sorted.push_back({t, i, turned});
  }
  bucket_sort(
      sorted, surface.count(), [](const Sorted& s) { return s.places[0]; },
      [](const Sorted& a, const Sorted& b) {
        return std::tie(a.places, a.index) < std::tie(b.places, b.index);
      });
  std::vector<Sides> sides(triangles.size(), Sides::none);
  for (std::size_t first = 0, i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i].places != sorted[first].places) {
      first = i;
      sides[sorted[i].index] = Sides::one;
    }
    if (sorted[i].turned != sorted[first].turned) sides[sorted[first].index] = Sides::two;
  }
  return sides;
}

/// Numbers the places of vertices in the order of the first vertex of each.
void find_places(std::span<const Eigen::Vector3d> positions, std::span<const std::uint32_t> welded,
                 std::span<const std::uint32_t> part, HeatSurface& surface) {
  constexpr std::uint32_t none = UINT32_MAX;
  // By welded vertex, its first place; by place, the next one of another part.
  std::vector<std::uint32_t> first(welded.size(), none), next, part_of_place;
  surface.place.reserve(welded.size());
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    const std::uint32_t own_part = part.empty() ? 0 : part[v];
    std::uint32_t* link = &first[welded[v]];
    while (*link != none && part_of_place[*link] != own_part) link = &next[*link];
    if (*link == none) {
      *link = static_cast<std::uint32_t>(surface.position.size());
      surface.place.push_back(*link);
      surface.position.push_back(positions[v]);
      part_of_place.push_back(own_part);
      next.push_back(none);
    } else {
      surface.place.push_back(*link);
    }
  }
}

std::vector<Bvh::Box> boxes_of(const HeatSurface& surface) {
  std::vector<Bvh::Box> boxes;
  for (const Triangle& t : surface.triangles) {
    Bvh::Box& box = boxes.emplace_back();
    // The tree sorts lattice boxes.
    for (const std::uint32_t corner : t) box.extend(surface.position[corner] * lattice_size);
  }
  return boxes;
}

}  // namespace

HeatSurface heat_triangles(std::span<const Eigen::Vector3d> positions,
                           std::span<const Triangle> triangles,
                           std::span<const std::uint32_t> welded,
                           std::span<const std::uint32_t> part) {
  HeatSurface surface;
  find_places(positions, welded, part, surface);
  const std::vector<Sides> sides = distinct_triangles(surface, triangles);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (sides[i] == Sides::none) continue;
    const Triangle& t = triangles[i];
    surface.triangles.push_back({surface.place[t[0]], surface.place[t[1]], surface.place[t[2]]});
    surface.two_sided.push_back(sides[i] == Sides::two);
    surface.part.push_back(part.empty() ? 0 : part[t[0]]);
  }
  return surface;
}

HeatSurface heat_surface(HeatSurface surface) {
  find_normals(surface);
  find_pieces(surface);
  return surface;
}

HeatSight::HeatSight(const HeatSurface& surface)
    : surface_(surface),
      part_(surface.count(), 0),
      used_(surface.count(), false),
      tree_(boxes_of(surface)) {
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (const std::uint32_t corner : surface.triangles[t]) {
      part_[corner] = surface.part[t];
      used_[corner] = true;
    }
}

bool HeatSight::sees(std::uint32_t place, const Eigen::Vector3d& point) const {
  const Eigen::Vector3d way = point - surface_.position[place];
  const double length = way.norm();
  if (!used_[place] || !(length > 0.0)) return true;
  const Eigen::Vector3d direction = way / length;
  const Eigen::Vector3d from = surface_.position[place] + start_offset * way;
  double bound = length * (1.0 - 2.0 * start_offset) * lattice_size;
  bool blocked = false;
  const Eigen::Vector3d inverse = direction.cwiseInverse();
  tree_.visit_near(
      [&](const Bvh::Box& box) { return box_entry(box, from * lattice_size, inverse); }, bound,
      [&](std::uint32_t t) {
        if (surface_.part[t] != part_[place]) return;
        const Hit hit = hit_triangle(surface_, surface_.triangles[t], from, direction);
        const double entering = surface_.two_sided[t] ? std::abs(hit.facing) : -hit.facing;
        if (hit.at < 0.0 || !(hit.at * lattice_size < bound) || !(entering > least_facing)) return;
        blocked = true;
        bound = -1.0;  // no further
      });
  return !blocked;
}

}  // namespace gvbind
