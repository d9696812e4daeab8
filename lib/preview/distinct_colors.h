#pragma once

#include <Eigen/Core>
#include <vector>

#include "character/scene.h"

namespace gvbind::preview {

/// Neighboring joints: parent and child, grandparent and child, siblings, joints that share a
/// vertex or dominate two corners of one triangle. By joint, each list ascending.
std::vector<std::vector<std::size_t>> joint_neighbors(const Scene& scene);

/// A color per joint, for an image with a legend. Linear RGB. Neighbors get very different colors,
/// never equal ones unless a joint has more neighbors than there are colors (about a hundred). If
/// there are enough colors for all joints, all are different.
std::vector<Eigen::Vector3f> distinct_joint_colors(const Scene& scene);

}  // namespace gvbind::preview
