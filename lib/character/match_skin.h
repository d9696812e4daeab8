#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

struct SkinMatchOptions {
  double tolerance = 1e-3;  ///< how far apart vertices at "one position" may be, of the diagonal of
                            ///< the box around our meshes
};

/// Two skins of one shape, brought to the same meshes and the same joints.
struct SkinMatch {
  Scene ours;    ///< as it was, with the joints of the other that it lacks at the end
  Scene theirs;  ///< the same meshes and joints; the weights are the other's
  std::size_t by_order = 0, by_position = 0, unmatched = 0;  ///< vertices of our skinned meshes
  std::size_t common_joints = 0;
  std::vector<std::string> added_joints;  ///< names of those that only the other has
};

/// Gives our vertices the weights that another scene has for them. Meshes of one name and number of
/// vertices, then those of one number alone, go together vertex by vertex; but where more vertices
/// find one at their position than lie where the other's order says, and in all other meshes, a
/// vertex takes the row of the nearest one within the tolerance. A vertex without any has an empty
/// row. Joints go together by name (match_joints). The other's unit and axes may differ.
SkinMatch match_skin(const Scene& ours, const Scene& other, const SkinMatchOptions& options = {});

}  // namespace gvbind
