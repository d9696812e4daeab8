#pragma once

#include <cstddef>
#include <vector>

#include "character/scene.h"

namespace gvbind::check {

struct SkinDifferenceOptions {
  int poses = 10;
  double turn_degrees = 45;  ///< maximum rotation of each joint about a random axis, 0 to 180
};

/// Difference between two skins. Ignores vertices without weight in the reference.
struct SkinDifference {
  std::size_t vertices = 0;  ///< number compared
  double l1 = 0.0;           ///< mean of sum_j |w - w*|: 0 equal, 2 no joint in common
  /// Distance between vertices after linear blend skinning with both skins, over random poses, in
  /// thousandths of the longest side of their mesh's box.
  double mean_distance = 0.0;
  double max_distance = 0.0;                   ///< maximum of each mesh and pose, averaged
  std::vector<std::vector<float>> per_vertex;  ///< by mesh: half the L1 difference, 0 to 1
};

/// Compares two scenes with the same meshes and joints, as from match_skin(). Rows are normalized;
/// a vertex with weight only in the reference counts 1 and does not move. The poses are the same in
/// every run.
SkinDifference compare_skins(const Scene& skin, const Scene& reference,
                             const SkinDifferenceOptions& options = {});

}  // namespace gvbind::check
