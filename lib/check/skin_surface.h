#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"
#include "check/surface_links.h"

namespace gvbind {

constexpr std::uint32_t no_joint = UINT32_MAX;

/// Where a vertex of the surface comes from.
struct VertexSource {
  std::uint32_t mesh = 0;    ///< of Scene::meshes
  std::uint32_t vertex = 0;  ///< the document's own
};

/// All skinned meshes of a scene as one surface, fit to be measured.
struct SkinSurface {
  std::vector<Eigen::Vector3d> positions;  ///< bind space; NaN where not finite or beyond 1e60,
                                           ///< then unlinked
  std::vector<VertexSource> source;        ///< one per vertex
  std::vector<Triangle> triangles;         ///< of finite vertices that exist
  std::vector<double> area;        ///< a vertex's third of its triangles, bind space squared;
                                   ///< 1 each where the whole surface has none
  std::vector<SurfaceEdge> edges;  ///< of the triangles
  double size = 0.0;               ///< diagonal of the box of the finite vertices, bind space
  SurfaceLinks links;

  SkinWeights weights;  ///< one row a vertex: sound entries only, brought to a sum of one; empty
                        ///< where there are none
  std::vector<std::uint32_t> dominant;  ///< the joint of the largest weight, or no_joint

  std::size_t vertex_count() const { return positions.size(); }
  double weight_of(std::size_t vertex, std::uint32_t joint) const;  ///< 0 where it has none
};

/// As much of a scene as a surface is made of, once `weights` replace those of its meshes; a mesh
/// without new weights, and a vertex without in a mesh that is filled, keeps its own.
Scene with_weights(const Scene& scene, const SceneWeights& weights);

/// Meshes without a skin are left out.
SkinSurface skin_surface(const Scene& scene);

/// Replaces the weights by those that `scene` has at the same vertices: one of the same meshes as
/// that which the surface was made of.
void take_weights(SkinSurface& surface, const Scene& scene);

}  // namespace gvbind
