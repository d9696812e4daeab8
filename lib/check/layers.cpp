#include "check/layers.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "check/nearest_surface.h"
#include "gvbind/base/bvh.h"
#include "gvbind/base/disjoint_sets.h"
#include "gvbind/base/parallel.h"
#include "gvbind/base/weld.h"

namespace gvbind::check {

namespace {

constexpr std::size_t rays_per_block = 256;
constexpr double edge_slack = 1e-9;  // clothes made of the body's faces are met at their corners
constexpr double same_way = 0.3;     // minimum cosine between the normals of a vertex and its cover

/// By vertex, the lowest one of its connected part.
std::vector<std::uint32_t> connected_parts(const SkinSurface& surface) {
  DisjointSets sets(welded(std::span(surface.positions)));
  for (const Triangle& t : surface.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[1], t[2]);
  }
  std::vector<std::uint32_t> part(surface.vertex_count());
  for (std::uint32_t v = 0; v < part.size(); ++v) part[v] = sets.root(v);
  return part;
}

struct Ray {
  Eigen::Vector3d origin, direction;
};

/// Where a ray enters a box; infinite if it misses it.
double entry_of(const Ray& ray, const Eigen::AlignedBox3d& box) {
  double from = 0.0, to = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double d = ray.direction[axis], o = ray.origin[axis];
    if (d == 0.0) {
      if (o < box.min()[axis] || o > box.max()[axis])
        return std::numeric_limits<double>::infinity();
      continue;
    }
    const double a = (box.min()[axis] - o) / d, b = (box.max()[axis] - o) / d;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  return from <= to ? from : std::numeric_limits<double>::infinity();
}

/// The length of the ray up to a triangle that faces the way it goes (Moeller and Trumbore 1997).
std::optional<double> hit_from_behind(const Ray& ray, const Eigen::Vector3d& a,
                                      const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Vector3d e = b - a, f = c - a, p = ray.direction.cross(f);
  const double determinant = e.dot(p);  // minus the normal along the ray
  if (!(-determinant > same_way * e.cross(f).norm())) return std::nullopt;
  const Eigen::Vector3d s = ray.origin - a;
  const double u = s.dot(p) / determinant;
  const Eigen::Vector3d q = s.cross(e);
  const double v = ray.direction.dot(q) / determinant;
  const double length = f.dot(q) / determinant;
  if (u < -edge_slack || v < -edge_slack || u + v > 1.0 + edge_slack || !(length > 0.0))
    return std::nullopt;
  return length;
}

/// Finds what covers vertices, on the lattice of a Bvh.
class CoverSearch {
 public:
  CoverSearch(const SkinSurface& surface, const LayerOptions& options)
      : surface_(surface), part_(connected_parts(surface)) {
    Eigen::AlignedBox3d whole;
    for (const Triangle& t : surface.triangles)
      for (const std::uint32_t v : t) whole.extend(surface.positions[v]);
    low_ = whole.min();
    scale_ = (lattice_size - 1) / whole.sizes().maxCoeff();
    reach_ = options.reach * surface.size * scale_;
    std::vector<Eigen::AlignedBox3d> boxes;
    for (const Triangle& t : surface.triangles) {
      Eigen::AlignedBox3d& box = boxes.emplace_back();
      for (const std::uint32_t v : t) box.extend(on_lattice(v));
    }
    bvh_.emplace(boxes);
  }

  bool has_layers() const {
    return std::ranges::any_of(surface_.triangles, [&](const Triangle& t) {
      return part_[t[0]] != part_[surface_.triangles.front()[0]];
    });
  }

  /// The triangle over a vertex.
  std::optional<std::uint32_t> over(std::uint32_t vertex, const Eigen::Vector3d& normal) const {
    const Ray ray{on_lattice(vertex), normal};
    double bound = reach_;
    std::optional<std::uint32_t> best;
    bvh_->visit_near([&](const Eigen::AlignedBox3d& box) { return entry_of(ray, box); }, bound,
                     [&](std::uint32_t i) {
                       const Triangle& t = surface_.triangles[i];
                       if (part_[t[0]] == part_[vertex]) return;
                       const auto length = hit_from_behind(ray, on_lattice(t[0]), on_lattice(t[1]),
                                                           on_lattice(t[2]));
                       if (!length || *length > bound || (*length == bound && best && i > *best))
                         return;
                       bound = *length;
                       best = i;
                     });
    return best;
  }

 private:
  Eigen::Vector3d on_lattice(std::uint32_t v) const {
    return (surface_.positions[v] - low_) * scale_;
  }

  const SkinSurface& surface_;
  std::vector<std::uint32_t> part_;
  Eigen::Vector3d low_;
  double scale_ = 1.0, reach_ = 0.0;
  std::optional<Bvh> bvh_;
};

}  // namespace

std::vector<CoveredVertex> covered_vertices(const SkinSurface& surface,
                                            const LayerOptions& options) {
  if (surface.triangles.empty() || !(surface.size > 0.0)) return {};
  const CoverSearch search(surface, options);
  if (!search.has_layers()) return {};
  const auto normals = vertex_normals(surface.positions, surface.triangles);
  const std::size_t step = surface.vertex_count() / options.max_samples + 1;
  const std::size_t samples = (surface.vertex_count() + step - 1) / step;
  std::vector<std::optional<std::uint32_t>> over(samples);
  parallel_for(samples, rays_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t v = i * step;
      if (surface.dominant[v] != no_joint && !normals[v].isZero())
        over[i] = search.over(static_cast<std::uint32_t>(v), normals[v]);
    }
  });
  std::vector<CoveredVertex> covered;
  for (std::size_t i = 0; i < samples; ++i)
    if (over[i]) covered.push_back({static_cast<std::uint32_t>(i * step), *over[i]});
  return covered;
}

LayerPatches::LayerPatches(const SkinSurface& surface)
    : surface_(surface), welded_(welded(std::span(surface.positions))) {
  first_.assign(surface.vertex_count() + 1, 0);
  for (const Triangle& t : surface.triangles)
    for (const std::uint32_t v : t) ++first_[welded_[v] + 1];
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  of_vertex_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < surface.triangles.size(); ++i)
    for (const std::uint32_t v : surface.triangles[i]) of_vertex_[next[welded_[v]]++] = i;
}

std::vector<std::uint32_t> LayerPatches::triangles_at(
    const std::vector<std::uint32_t>& triangles) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t i : triangles)
    for (const std::uint32_t v : surface_.triangles[i])
      found.insert(found.end(), of_vertex_.begin() + std::ptrdiff_t(first_[welded_[v]]),
                   of_vertex_.begin() + std::ptrdiff_t(first_[welded_[v] + 1]));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::uint32_t> LayerPatches::around(std::uint32_t triangle) const {
  return triangles_at(triangles_at({triangle}));
}

}  // namespace gvbind::check
