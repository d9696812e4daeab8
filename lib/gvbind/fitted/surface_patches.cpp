#include "gvbind/fitted/surface_patches.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "gvbind/base/disjoint_sets.h"

namespace gvbind {

namespace {

// Limits for slivers and obtuse angles: every edge conducts some heat, and none without bound.
constexpr double min_cotangent = 0.02, max_cotangent = 20.0;
constexpr double min_area = 1e-9;  // cube sides squared; for patches of degenerate triangles

/// Contribution of an edge to the conductance between two patches.
struct Crossing {
  std::uint64_t pair;  ///< lower patch in the high half, higher patch in the low half
  double conductance;  ///< times the edge's length
};

struct Welded {
  const LatticeMesh& mesh;
  std::span<const std::uint32_t> vertex;

  Eigen::Vector3d at(std::uint32_t v) const { return mesh.positions[v].cast<double>(); }
  Triangle triangle(std::size_t t) const {
    const Triangle& own = mesh.triangles[t];
    return {vertex[own[0]], vertex[own[1]], vertex[own[2]]};
  }
};

/// Numbers the patches by their first vertex, assigns them to vertices, and returns their number.
std::uint32_t number_patches(const Welded& welded, int resolution,
                             std::vector<std::uint32_t>& patch) {
  const int side = lattice_size / resolution;
  const auto cell = [&](std::uint32_t v) -> Eigen::Vector3i {
    return welded.mesh.positions[v] / side;
  };
  DisjointSets sets(welded.vertex.size());
  std::vector<bool> used(welded.vertex.size(), false);
  for (std::size_t t = 0; t < welded.mesh.triangles.size(); ++t) {
    const Triangle corner = welded.triangle(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = corner[k], b = corner[(k + 1) % 3];
      used[a] = true;
      if (a != b && cell(a) == cell(b)) sets.join(a, b);
    }
  }
  std::vector<std::uint32_t> number(welded.vertex.size(), no_patch);
  patch.assign(welded.vertex.size(), no_patch);
  std::uint32_t count = 0;
  for (std::uint32_t v = 0; v < patch.size(); ++v) {
    const std::uint32_t own = welded.vertex[v];
    if (!used[own]) continue;
    std::uint32_t& of_set = number[sets.root(own)];
    if (of_set == no_patch) of_set = count++;
    patch[v] = of_set;
  }
  return count;
}

void find_centers(const Welded& welded, SurfacePatches& patches) {
  std::vector<double> vertices(patches.count(), 0.0);
  for (std::uint32_t v = 0; v < patches.patch.size(); ++v) {
    if (welded.vertex[v] != v || patches.patch[v] == no_patch) continue;
    patches.center[patches.patch[v]] += welded.at(v);
    vertices[patches.patch[v]] += 1.0;
  }
  for (std::size_t p = 0; p < patches.count(); ++p) patches.center[p] /= vertices[p];
}

/// Adds areas, and conductances of edges between patches.
std::vector<Crossing> cross_patches(const Welded& welded, SurfacePatches& patches) {
  std::vector<Crossing> crossings;
  for (std::size_t t = 0; t < welded.mesh.triangles.size(); ++t) {
    const Triangle corner = welded.triangle(t);
    const std::array<Eigen::Vector3d, 3> at = {welded.at(corner[0]) / lattice_size,
                                               welded.at(corner[1]) / lattice_size,
                                               welded.at(corner[2]) / lattice_size};
    const double twice_area = (at[1] - at[0]).cross(at[2] - at[0]).norm();
    if (twice_area == 0.0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3, facing = (k + 2) % 3;
      const std::uint32_t a = patches.patch[corner[k]], b = patches.patch[corner[next]];
      patches.area[a] += twice_area / 6.0;
      if (a == b) continue;
      const double cotangent =
          std::clamp((at[k] - at[facing]).dot(at[next] - at[facing]) / twice_area, min_cotangent,
                     max_cotangent);
      crossings.push_back({std::uint64_t{std::min(a, b)} << 32 | std::max(a, b),
                           0.5 * cotangent * (at[next] - at[k]).norm()});
    }
  }
  std::ranges::sort(crossings, [](const Crossing& a, const Crossing& b) {
    return a.pair != b.pair ? a.pair < b.pair : a.conductance < b.conductance;
  });
  return crossings;
}

/// Merges the crossings of each pair; sorted by pair.
void sum_crossings(const SurfacePatches& patches, std::vector<Crossing>& crossings) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < crossings.size();) {
    Crossing sum = {crossings[i].pair, 0.0};
    for (; i < crossings.size() && crossings[i].pair == sum.pair; ++i)
      sum.conductance += crossings[i].conductance;
    const auto a = static_cast<std::uint32_t>(sum.pair >> 32);
    const auto b = static_cast<std::uint32_t>(sum.pair);
    const double apart = (patches.center[a] - patches.center[b]).norm() / lattice_size;
    sum.conductance /= std::max(apart, 0.1 / patches.resolution);
    crossings[kept++] = sum;
  }
  crossings.resize(kept);
}

void link(const std::vector<Crossing>& crossings, SurfacePatches& patches) {
  patches.first.assign(patches.count() + 1, 0);
  for (const Crossing& c : crossings) {
    ++patches.first[static_cast<std::uint32_t>(c.pair >> 32) + 1];
    ++patches.first[static_cast<std::uint32_t>(c.pair) + 1];
  }
  for (std::size_t p = 0; p < patches.count(); ++p) patches.first[p + 1] += patches.first[p];
  patches.neighbor.resize(crossings.size() * 2);
  patches.conductance.resize(crossings.size() * 2);
  std::vector<std::uint32_t> next(patches.first.begin(), patches.first.end() - 1);
  const auto add = [&](std::uint32_t from, std::uint32_t to, double conductance) {
    patches.neighbor[next[from]] = to;
    patches.conductance[next[from]++] = conductance;
  };
  for (const Crossing& c : crossings) {
    const auto a = static_cast<std::uint32_t>(c.pair >> 32);
    const auto b = static_cast<std::uint32_t>(c.pair);
    add(b, a, c.conductance);
    add(a, b, c.conductance);
  }
}

}  // namespace

SurfacePatches surface_patches(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                               int resolution) {
  const Welded surface{mesh, welded};
  SurfacePatches made;
  made.resolution = resolution;
  const std::uint32_t count = number_patches(surface, resolution, made.patch);
  made.center.assign(count, Eigen::Vector3d::Zero());
  made.area.assign(count, min_area);
  find_centers(surface, made);
  std::vector<Crossing> crossings = cross_patches(surface, made);
  sum_crossings(made, crossings);
  link(crossings, made);
  return made;
}

}  // namespace gvbind
