#include "character/shape_box.h"

namespace gvbind {

std::vector<bool> shape_vertices(const SceneMesh& mesh) {
  std::vector<bool> used(mesh.positions.size(), mesh.triangles.empty());
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) used[v] = true;
  return used;
}

Eigen::AlignedBox3d shape_box(const SceneMesh& mesh) {
  const std::vector<bool> used = shape_vertices(mesh);
  Eigen::AlignedBox3d box;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) box.extend(mesh.positions[v]);
  return box;
}

}  // namespace gvbind
