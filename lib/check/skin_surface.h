#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"
#include "check/surface_links.h"

namespace gvbind::check {

constexpr std::uint32_t no_joint = UINT32_MAX;

/// Origin of a vertex of the surface.
struct VertexSource {
  std::uint32_t mesh = 0;    ///< of Scene::meshes
  std::uint32_t vertex = 0;  ///< index in the document
};

/// All skinned meshes of a scene as one surface, cleaned for measuring.
struct SkinSurface {
  /// Bind space; NaN and unlinked if not finite or beyond 1e60.
  std::vector<Eigen::Vector3d> positions;
  std::vector<VertexSource> source;  ///< by vertex
  std::vector<Triangle> triangles;   ///< with valid, finite vertices
  /// A third of a vertex's triangles, bind space squared; all 1 if the surface has no area.
  std::vector<double> area;
  std::vector<SurfaceEdge> edges;  ///< of the triangles
  double size = 0.0;               ///< diagonal of the box of the finite vertices, bind space
  SurfaceLinks links;

  SkinWeights weights;  ///< by vertex: valid entries only, normalized; empty without any
  std::vector<std::uint32_t> dominant;  ///< joint with the largest weight, or no_joint

  std::size_t vertex_count() const { return positions.size(); }
  double weight_of(std::size_t vertex, std::uint32_t joint) const;  ///< 0 if it has none
};

/// The parts of a scene that a surface needs, after `weights` replace those of its meshes. Meshes
/// without new weights, and vertices without new weights in filled meshes, keep their own.
Scene with_weights(const Scene& scene, const SceneWeights& weights);

/// Ignores meshes without a skin.
SkinSurface skin_surface(const Scene& scene);

/// Replaces the weights by those of `scene`, which must have the same meshes as the scene of the
/// surface.
void take_weights(SkinSurface& surface, const Scene& scene);

}  // namespace gvbind::check
