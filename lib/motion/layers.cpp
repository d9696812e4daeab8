#include "motion/layers.h"

#include <algorithm>
#include <utility>

#include "motion/capped_volume.h"

namespace gvbind::motion {

namespace {

constexpr double min_alike = 0.5;  ///< cosine between normals of similar orientation
constexpr double kept_gap = 0.5;   ///< relative to the gap at rest
/// Relative to the size: smaller gaps are one surface, not layers.
constexpr double min_gap = 1e-5;

/// Unit normals by vertex; zero without a normal.
std::vector<Eigen::Vector3d> normals_of(const check::SkinSurface& surface,
                                        std::span<const Eigen::Vector3d> positions) {
  std::vector<Eigen::Vector3d> normals = volume_slopes(positions, surface.triangles);
  for (Eigen::Vector3d& normal : normals) normal.normalize();
  return normals;
}

double gap_of(const Layer& layer, std::span<const Eigen::Vector3d> positions,
              std::span<const Eigen::Vector3d> normals) {
  return (positions[layer.outer] - positions[layer.inner]).dot(normals[layer.inner]);
}

}  // namespace

std::vector<Layer> layers_of(const check::SkinSurface& surface) {
  const std::vector<Eigen::Vector3d> normals = normals_of(surface, surface.positions);
  std::vector<Layer> layers;
  for (std::uint32_t a = 0; a < surface.vertex_count(); ++a)
    for (std::size_t k = surface.links.first[a]; k < surface.links.first[a + 1]; ++k) {
      const std::uint32_t b = surface.links.to[k];
      if (a >= b || normals[a].dot(normals[b]) < min_alike ||
          std::ranges::binary_search(surface.edges, check::SurfaceEdge{a, b}))
        continue;
      Layer layer{a, b, 0.0};
      if (gap_of(layer, surface.positions, normals) < 0.0) std::swap(layer.outer, layer.inner);
      layer.gap = gap_of(layer, surface.positions, normals);
      if (layer.gap > min_gap * surface.size) layers.push_back(layer);
    }
  return layers;
}

double pierced_share(const check::SkinSurface& surface, std::span<const Layer> layers,
                     std::span<const Eigen::Vector3d> posed) {
  if (layers.empty()) return 0.0;
  const std::vector<Eigen::Vector3d> normals = normals_of(surface, posed);
  const auto pierced = std::ranges::count_if(
      layers, [&](const Layer& layer) { return gap_of(layer, posed, normals) < 0.0; });
  return static_cast<double>(pierced) / static_cast<double>(layers.size());
}

void keep_apart(const check::SkinSurface& surface, std::span<const Layer> layers,
                std::vector<Eigen::Vector3d>& positions) {
  if (layers.empty()) return;
  const std::vector<Eigen::Vector3d> normals = normals_of(surface, positions);
  for (const Layer& layer : layers) {
    const double lacks = kept_gap * layer.gap - gap_of(layer, positions, normals);
    if (lacks > 0.0) positions[layer.outer] += lacks * normals[layer.inner];
  }
}

}  // namespace gvbind::motion
