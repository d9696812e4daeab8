#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

struct SkinMatchOptions {
  /// Maximum distance between matching vertices, as a fraction of the diagonal of our meshes' box.
  double tolerance = 1e-3;
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
/// vertex within the tolerance. Unmatched vertices get empty rows. Joints are matched by name
/// (match_joints). The other scene may have other units and axes.
SkinMatch match_skin(const Scene& ours, const Scene& other, const SkinMatchOptions& options = {});

}  // namespace gvbind
