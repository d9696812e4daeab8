#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

struct SkinMatchOptions {
  /// Maximum distance between matching vertices, as a fraction of the diagonal of our meshes' box.
  double tolerance = 1e-3;
};

/// Where the vertices of one scene are in another of the same shape.
struct VertexMatch {
  static constexpr std::uint32_t none = UINT32_MAX;
  /// By our mesh and vertex: the other's vertex, counted over all its meshes, or none.
  std::vector<std::vector<std::uint32_t>> vertex;
  Eigen::Affine3d to_ours = Eigen::Affine3d::Identity();  ///< the other's bind space -> ours
};

/// Two skins of one shape, converted to the same meshes and joints.
struct SkinMatch {
  Scene ours;    ///< unchanged, with joints that only the other scene has appended
  Scene theirs;  ///< the same meshes and joints with the other scene's weights
  std::size_t by_order = 0, by_position = 0, unmatched = 0;  ///< vertices of our skinned meshes
  std::size_t common_joints = 0;
  std::vector<std::string> added_joints;  ///< joints that only the other scene has, by name
};

/// Maps another scene's weights to our vertices. Meshes with equal name and number of vertices,
/// then with equal number only, are matched by vertex index, unless more vertices match by position
/// than by index. In that case, and for all other meshes, a vertex gets the row of the nearest
/// vertex within the tolerance; of several at one position, the one of the same triangle. Unmatched
/// vertices get empty rows. Joints are matched by name (match_joints). The other scene may have
/// other units and axes.
SkinMatch match_skin(const Scene& ours, const Scene& other, const SkinMatchOptions& options = {});

/// Matches all vertices, with weights or without, as match_skin() does those with weights.
VertexMatch match_vertices(const Scene& ours, const Scene& other,
                           const SkinMatchOptions& options = {});

}  // namespace gvbind
