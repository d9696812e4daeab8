#pragma once

#include <cstddef>
#include <vector>

#include "character/scene.h"

namespace gvbind {

struct SkinDifferenceOptions {
  int poses = 10;
  double turn_degrees = 45;  ///< every joint turns by up to this about an axis of its own, 0 to 180
};

/// How far one skin is from another. Vertices to which the reference gives no weight do not count.
struct SkinDifference {
  std::size_t vertices = 0;  ///< that count
  double l1 = 0.0;           ///< mean over them of sum_j |w - w*|: 0 equal, 2 no joint in common
  /// Linear blend skinning with both, in random poses: how far the vertices come apart, in
  /// thousandths of the longest side of their mesh's box.
  double mean_distance = 0.0;
  double max_distance = 0.0;  ///< of the farthest vertex of each mesh and pose, the mean
  std::vector<std::vector<float>> per_vertex;  ///< by mesh: half the L1 difference, 0 to 1
};

/// Two scenes of the same meshes and joints, as match_skin makes them. Rows are brought to a sum of
/// one; a vertex that has weight in the reference alone counts 1 and stays where it is. The poses
/// are the same from run to run.
SkinDifference compare_skins(const Scene& skin, const Scene& reference,
                             const SkinDifferenceOptions& options = {});

}  // namespace gvbind
