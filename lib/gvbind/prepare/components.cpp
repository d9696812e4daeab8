#include "gvbind/prepare/components.h"

#include <algorithm>
#include <cmath>

#include "gvbind/base/disjoint_sets.h"
#include "gvbind/base/morton.h"
#include "gvbind/base/weld.h"

namespace gvbind {

namespace {

constexpr int max_rows = 40;

}  // namespace

std::vector<std::uint32_t> welded_vertices(const LatticeMesh& mesh) {
  return welded<Eigen::Vector3i>(mesh.positions);
}

Components connected_components(const LatticeMesh& mesh, std::span<const std::uint32_t> welded) {
  DisjointSets sets(std::vector<std::uint32_t>(welded.begin(), welded.end()));
  for (const Triangle& t : mesh.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[0], t[2]);
  }
  std::vector<std::uint32_t> number(welded.size(), no_component), sizes;
  for (const Triangle& t : mesh.triangles) {
    std::uint32_t& n = number[sets.root(t[0])];
    if (n == no_component) {
      n = static_cast<std::uint32_t>(sizes.size());
      sizes.push_back(0);
    }
    ++sizes[n];
  }
  Components components;
  components.triangles.resize(sizes.size());
  for (std::size_t n = 0; n < sizes.size(); ++n) components.triangles[n].reserve(sizes[n]);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    components.triangles[number[sets.root(mesh.triangles[t][0])]].push_back(t);
  components.component.reserve(welded.size());
  components.vertices.assign(components.triangles.size(), 0);
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    components.component.push_back(number[sets.root(v)]);
    if (components.component[v] != no_component)
      components.vertices[components.component[v]] += welded[v] == v;
  }
  return components;
}

std::vector<SurfacePoint> surface_points(const LatticeMesh& mesh, const Components& components,
                                         double spacing) {
  static_assert(lattice_size < 1 << 21, "codes hold whole positions");
  std::vector<SurfacePoint> points;
  std::vector<MortonCode> codes;
  for (std::uint32_t p = 0; p < components.count(); ++p) {
    codes.clear();
    for (const std::uint32_t index : components.triangles[p]) {
      Eigen::Vector3d corner[3];
      for (int k = 0; k < 3; ++k)
        corner[k] = mesh.positions[mesh.triangles[index][k]].cast<double>();
      double longest = 0.0;
      for (int k = 0; k < 3; ++k)
        longest = std::max(longest, (corner[k] - corner[(k + 1) % 3]).norm());
      const int rows = std::clamp(static_cast<int>(std::ceil(longest / spacing)), 1, max_rows);
      for (int i = 0; i <= rows; ++i)
        for (int k = 0; i + k <= rows; ++k) {
          const Eigen::Vector3d at =
              (corner[0] * i + corner[1] * k + corner[2] * (rows - i - k)) / rows;
          codes.push_back(morton_code(lattice_point(at)));
        }
    }
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    for (const MortonCode code : codes) points.push_back({morton_cell(code), p});
  }
  return points;
}

}  // namespace gvbind
