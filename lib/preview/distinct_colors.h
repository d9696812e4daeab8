#pragma once

#include <Eigen/Core>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// Pairs of joints that meet: parent and child, grandparent and child, children of one joint,
/// joints that share a vertex or own most of two corners of one triangle. By joint, each list
/// ascending.
std::vector<std::vector<std::size_t>> joint_neighbors(const Scene& scene);

/// A color for each joint, for a picture with a legend. Linear RGB. Neighbors get colors that are
/// far apart and are never given the same one, unless a joint has more neighbors than there are
/// colors (about a hundred); as long as there are more colors than joints, no color is given twice.
std::vector<Eigen::Vector3f> distinct_joint_colors(const Scene& scene);

}  // namespace gvbind
