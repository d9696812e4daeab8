#include "motion/capped_volume.h"

#include <Eigen/Geometry>
#include <set>

#include "gvbind/base/weld.h"
#include "gvbind/prepare/open_edges.h"

namespace gvbind::motion {

CappedSurface cap_holes(std::span<const Eigen::Vector3d> positions,
                        std::span<const Triangle> triangles) {
  CappedSurface surface;
  for (const Triangle& t : triangles)
    if (positions[t[0]].allFinite() && positions[t[1]].allFinite() && positions[t[2]].allFinite())
      surface.triangles.push_back(t);
  const OpenLoops open = open_loops(surface.triangles, welded(positions));
  for (std::uint32_t hole = 0; hole < open.count(); ++hole) {
    std::set<std::uint32_t> around;
    for (std::uint32_t i = open.first[hole]; i < open.first[hole + 1]; ++i) {
      const OpenEdge& e = open.edges[i];
      around.insert({e.from, e.to});
      for (std::uint32_t n = 0; n < e.surfaces; ++n) surface.caps.push_back({e.to, e.from, hole});
    }
    surface.holes.emplace_back(around.begin(), around.end());
  }
  return surface;
}

double volume_of(const CappedSurface& surface, std::span<const Eigen::Vector3d> positions) {
  if (surface.triangles.empty()) return 0.0;
  // An origin near the surface avoids cancellation in the products.
  const Eigen::Vector3d origin = positions[surface.triangles.front()[0]];
  double sum = 0.0;
  const auto add = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                       const Eigen::Vector3d& c) {
    sum += (a - origin).dot((b - origin).cross(c - origin));
  };
  for (const Triangle& t : surface.triangles)
    add(positions[t[0]], positions[t[1]], positions[t[2]]);
  std::vector<Eigen::Vector3d> middle;
  for (const std::vector<std::uint32_t>& hole : surface.holes) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const std::uint32_t v : hole) mean += positions[v];
    middle.push_back(mean / static_cast<double>(hole.size()));
  }
  for (const CappedSurface::Cap& cap : surface.caps)
    add(positions[cap.a], positions[cap.b], middle[cap.hole]);
  return sum / 6.0;
}

std::vector<Eigen::Vector3d> volume_slopes(std::span<const Eigen::Vector3d> positions,
                                           std::span<const Triangle> triangles) {
  std::vector<Eigen::Vector3d> slopes(positions.size(), Eigen::Vector3d::Zero());
  for (const Triangle& t : triangles) {
    const Eigen::Vector3d& a = positions[t[0]];
    const Eigen::Vector3d normal = (positions[t[1]] - a).cross(positions[t[2]] - a) / 6.0;
    if (normal.allFinite())
      for (const std::uint32_t v : t) slopes[v] += normal;
  }
  return slopes;
}

}  // namespace gvbind::motion
