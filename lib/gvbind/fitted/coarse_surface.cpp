#include "gvbind/fitted/coarse_surface.h"

#include <algorithm>
#include <utility>

#include "gvbind/base/disjoint_sets.h"

namespace gvbind {

namespace {

constexpr int most_cells = 256, fewest_cells = 8;  // per side

/// The places of `fine` by cluster: the lowest of each.
std::vector<std::uint32_t> clusters_in_cells(const HeatSurface& fine, int cells) {
  std::vector<Eigen::Vector3i> cell;
  for (const Eigen::Vector3d& p : fine.position) cell.push_back((p * cells).cast<int>());
  DisjointSets sets(fine.count());
  for (const Triangle& t : fine.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      if (const std::uint32_t a = t[k], b = t[(k + 1) % 3]; cell[a] == cell[b]) sets.join(a, b);
  std::vector<std::uint32_t> lowest;
  for (std::uint32_t p = 0; p < fine.count(); ++p) lowest.push_back(sets.root(p));
  return lowest;
}

std::size_t cluster_count(std::span<const std::uint32_t> lowest) {
  std::size_t count = 0;
  for (std::uint32_t p = 0; p < lowest.size(); ++p) count += lowest[p] == p;
  return count;
}

/// By place, the mean position of its cluster.
std::vector<Eigen::Vector3d> cluster_means(const HeatSurface& fine,
                                           std::span<const std::uint32_t> lowest) {
  std::vector<Eigen::Vector3d> sum(fine.count(), Eigen::Vector3d::Zero());
  std::vector<int> members(fine.count(), 0);
  for (std::uint32_t p = 0; p < fine.count(); ++p) {
    sum[lowest[p]] += fine.position[p];  // exact: positions are on the lattice
    ++members[lowest[p]];
  }
  std::vector<Eigen::Vector3d> mean;
  for (const std::uint32_t p : lowest) mean.emplace_back(sum[p] / members[p]);
  return mean;
}

/// As heat_triangles() takes them: two-sided ones once for each side.
std::vector<Triangle> sides_of(const HeatSurface& fine) {
  std::vector<Triangle> sides = fine.triangles;
  for (std::size_t i = 0; i < fine.triangles.size(); ++i)
    if (const Triangle& t = fine.triangles[i]; fine.two_sided[i])
      sides.push_back({t[1], t[0], t[2]});
  return sides;
}

}  // namespace

HeatSurface coarse_surface(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                           std::span<const std::uint32_t> part, std::size_t max_places) {
  std::vector<Eigen::Vector3d> positions;
  for (const Eigen::Vector3i& p : mesh.positions)
    positions.push_back(p.cast<double>() / lattice_size);
  HeatSurface fine = heat_triangles(positions, mesh.triangles, welded, part);
  if (fine.count() <= max_places) return heat_surface(std::move(fine));
  std::vector<std::uint32_t> lowest;
  for (int cells = most_cells; cells >= fewest_cells; cells /= 2) {
    lowest = clusters_in_cells(fine, cells);
    if (cluster_count(lowest) <= max_places) break;
  }
  const std::vector<Eigen::Vector3d> means = cluster_means(fine, lowest);
  std::vector<std::uint32_t> part_of_place(fine.count(), 0);
  for (std::size_t t = 0; t < fine.triangles.size(); ++t)
    for (const std::uint32_t corner : fine.triangles[t]) part_of_place[corner] = fine.part[t];
  HeatSurface coarse = heat_surface(heat_triangles(means, sides_of(fine), lowest, part_of_place));
  std::vector<std::uint32_t> place;
  for (const std::uint32_t of_fine : fine.place) place.push_back(coarse.place[of_fine]);
  coarse.place = std::move(place);
  return coarse;
}

}  // namespace gvbind
