#include "gvbind/prepare/orient_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

namespace {

constexpr std::size_t max_samples = 512;
/// Areas with a smaller relative difference count as equal.
constexpr double same_area = 1e-6;

/// An edge of a triangle, stored at its lower vertex.
struct Edge {
  std::uint32_t triangle;
  std::uint32_t run;  ///< 2 * higher vertex, plus 1 if the triangle runs toward it

  std::uint32_t high() const { return run >> 1; }
  bool up() const { return (run & 1) != 0; }
};

/// By vertex v, the edges to higher vertices, sorted: [first[v], first[v + 1]).
struct Edges {
  std::vector<std::uint32_t> first;
  std::vector<Edge> list;
};

Edges edges_of(const LatticeMesh& mesh, std::span<const std::uint32_t> welded) {
  Edges edges;
  edges.first.assign(welded.size() + 1, 0);
  const auto visit = [&](const auto& body) {
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle& corners = mesh.triangles[t];
      const Triangle at = {welded[corners[0]], welded[corners[1]], welded[corners[2]]};
      if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0]) continue;
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t a = at[k], b = at[(k + 1) % 3];
        body(std::min(a, b), Edge{t, std::max(a, b) << 1 | (a < b ? 1u : 0u)});
      }
    }
  };
  visit([&](std::uint32_t low, const Edge&) { ++edges.first[low + 1]; });
  std::partial_sum(edges.first.begin(), edges.first.end(), edges.first.begin());
  edges.list.resize(edges.first.back());
  std::vector<std::uint32_t> next(edges.first.begin(), edges.first.end() - 1);
  visit([&](std::uint32_t low, const Edge& edge) { edges.list[next[low]++] = edge; });
  parallel_for(welded.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p)
      std::sort(edges.list.begin() + edges.first[p], edges.list.begin() + edges.first[p + 1],
                [](const Edge& a, const Edge& b) {
                  return a.high() != b.high() ? a.high() < b.high() : a.triangle < b.triangle;
                });
  });
  return edges;
}

/// Union-find with parity: stores for every triangle whether its orientation agrees with the first
/// of its set.
class ParitySets {
 public:
  explicit ParitySets(std::size_t triangles) : parent_(triangles), against_(triangles, 0) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  struct Place {
    std::uint32_t patch;
    bool against;
  };
  Place find(std::uint32_t t) {
    std::uint32_t root = t;
    bool against = false;
    for (; parent_[root] != root; root = parent_[root]) against ^= against_[root] != 0;
    const bool sum = against;
    while (parent_[t] != root && t != root) {
      const std::uint32_t next = parent_[t];
      const bool own = against_[t] != 0;
      parent_[t] = root;
      against_[t] = against;
      against ^= own;
      t = next;
    }
    return {root, sum};
  }
  /// False if the orientations are known to contradict.
  bool join(std::uint32_t a, std::uint32_t b, bool against) {
    const Place pa = find(a), pb = find(b);
    if (pa.patch == pb.patch) return (pa.against ^ pb.against) == against;
    const std::uint32_t low = std::min(pa.patch, pb.patch), high = std::max(pa.patch, pb.patch);
    parent_[high] = low;
    against_[high] = pa.against ^ pb.against ^ against;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> against_;
};

struct Patch {
  bool open = false, one_sided = false;
  bool doubtful = false;  ///< open patch whose volume contradicts its majority
  bool flip = false;      ///< flip triangles that agree with the first, else those against it
  double area = 0.0, against = 0.0;  ///< of all triangles; of those against the first
  double volume = 0.0;               ///< oriented like the first, around the centroid
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  std::vector<std::uint32_t> triangles;  ///< of doubtful patches only
};

struct Patches {
  std::vector<Patch> list;
  std::vector<std::uint32_t> of;  ///< by triangle
  /// By triangle: whether it runs against the first of its patch.
  std::vector<std::uint8_t> against;

  bool flips(std::uint32_t t) const {
    const Patch& patch = list[of[t]];
    return !patch.one_sided && patch.flip != (against[t] != 0);
  }
};

Eigen::Vector3d corner(const LatticeMesh& mesh, std::uint32_t t, int k) {
  return mesh.positions[mesh.triangles[t][k]].cast<double>();
}
Eigen::Vector3d face_center(const LatticeMesh& mesh, std::uint32_t t) {
  return (corner(mesh, t, 0) + corner(mesh, t, 1) + corner(mesh, t, 2)) / 3.0;
}
/// Normal of length 2 * area.
Eigen::Vector3d face_normal(const LatticeMesh& mesh, std::uint32_t t) {
  return (corner(mesh, t, 1) - corner(mesh, t, 0)).cross(corner(mesh, t, 2) - corner(mesh, t, 0));
}

Patches find_patches(const LatticeMesh& mesh, std::span<const std::uint32_t> welded) {
  Patches patches;
  patches.of.resize(mesh.triangles.size());
  patches.against.resize(mesh.triangles.size());
  ParitySets sides(mesh.triangles.size());
  std::vector<std::uint32_t> opened, one_sided;
  const Edges edges = edges_of(mesh, welded);
  for (std::size_t v = 0; v + 1 < edges.first.size(); ++v)
    for (std::uint32_t i = edges.first[v], end = i; i < edges.first[v + 1]; i = end) {
      while (end < edges.first[v + 1] && edges.list[end].high() == edges.list[i].high()) ++end;
      const Edge &a = edges.list[i], &b = edges.list[end - 1];
      if (end - i != 2)
        for (std::uint32_t k = i; k < end; ++k) opened.push_back(edges.list[k].triangle);
      else if (!sides.join(a.triangle, b.triangle, a.up() == b.up()))
        one_sided.push_back(a.triangle);
    }
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [first, against] = sides.find(t);  // `first`: the lowest of the patch
    if (first == t) {
      patches.of[t] = static_cast<std::uint32_t>(patches.list.size());
      patches.list.emplace_back();
    }
    patches.of[t] = patches.of[first];
    patches.against[t] = against;
  }
  for (const std::uint32_t t : opened) patches.list[patches.of[t]].open = true;
  for (const std::uint32_t t : one_sided) patches.list[patches.of[t]].one_sided = true;
  return patches;
}

void measure(const LatticeMesh& mesh, Patches& patches) {
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Patch& patch = patches.list[patches.of[t]];
    const double area = face_normal(mesh, t).norm() / 2.0;
    patch.area += area;
    if (patches.against[t] != 0) patch.against += area;
    patch.centroid += face_center(mesh, t) * area;
  }
  for (Patch& patch : patches.list)
    if (patch.area > 0.0) patch.centroid /= patch.area;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Patch& patch = patches.list[patches.of[t]];
    const double volume = face_normal(mesh, t).dot(corner(mesh, t, 0) - patch.centroid) / 6.0;
    patch.volume += patches.against[t] != 0 ? -volume : volume;
  }
}

/// Orients a closed patch outward, an open one like the majority of its area.
void decide_by_volume(const OrientOptions& options, Patch& patch) {
  const double min_volume = options.min_volume * std::pow(patch.area, 1.5);
  const double along = patch.area - patch.against;
  patch.flip = patch.against > along;
  // Without a majority, the volume decides.
  if (std::abs(patch.against - along) <= same_area * patch.area) {
    patch.flip = patch.volume < 0.0;
    patch.one_sided = patch.one_sided || std::abs(patch.volume) <= min_volume;
  }
  if (patch.one_sided || std::abs(patch.volume) <= min_volume) return;
  if (!patch.open)
    patch.flip = patch.volume < 0.0;
  else
    patch.doubtful = (patch.volume < 0.0) != patch.flip;
}

double mean_winding(const LatticeMesh& mesh, const WindingTree& winding,
                    std::vector<std::uint32_t>& triangles) {
  // Sorted by position, so that the samples do not depend on the order of triangles.
  std::ranges::sort(triangles, {}, [&](std::uint32_t t) {
    const Eigen::Vector3d at = face_center(mesh, t);
    return std::tuple(at.x(), at.y(), at.z(), face_normal(mesh, t).squaredNorm());
  });
  const std::size_t step = std::max<std::size_t>(1, triangles.size() / max_samples);
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < triangles.size(); i += step, ++count)
    sum += winding(face_center(mesh, triangles[i]));
  return sum / static_cast<double>(count);
}

void decide_by_winding(const LatticeMesh& mesh, const OrientOptions& options, Patches& patches) {
  if (std::ranges::none_of(patches.list, &Patch::doubtful)) return;
  LatticeMesh agreed = mesh;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (patches.flips(t)) std::swap(agreed.triangles[t][1], agreed.triangles[t][2]);
    Patch& patch = patches.list[patches.of[t]];
    if (patch.doubtful) patch.triangles.push_back(t);
  }
  const WindingTree winding(agreed);
  for (Patch& patch : patches.list)
    if (patch.doubtful && mean_winding(mesh, winding, patch.triangles) < options.max_winding)
      patch.flip = !patch.flip;
}

FlippedFaces flip(const Patches& patches, LatticeMesh& mesh) {
  FlippedFaces flipped;
  std::vector<bool> counted(patches.list.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!patches.flips(t)) continue;
    std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    ++flipped.triangles;
    flipped.patches += !counted[patches.of[t]];
    counted[patches.of[t]] = true;
  }
  return flipped;
}

}  // namespace

FlippedFaces orient_faces(LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                          const OrientOptions& options) {
  Patches patches = find_patches(mesh, welded);
  measure(mesh, patches);
  for (Patch& patch : patches.list) decide_by_volume(options, patch);
  decide_by_winding(mesh, options, patches);
  return flip(patches, mesh);
}

}  // namespace gvbind
