#pragma once

#include <vector>

#include "formats/gltf/nodes.h"
#include "formats/gltf/skins.h"

namespace gvbind::gltf {

/// For each joint of a skin, whether its inverse bind matrix is unusable, that is, does not give
/// the joint's place at bind. A singular matrix is unusable. So is one that an exporter left at the
/// value of other joints, mostly the identity, because no vertex follows the joint: several joints
/// at different places in the node pose share that matrix. Such a joint keeps its matrix only if
/// the places of joints in the axes of their parents are those of the node pose, for each neighbor
/// in the skeleton that has a matrix of its own: rotations of joints do not change these places.
std::vector<bool> missing_inverse_binds(const SkinData& skin, const NodeTree& tree);

}  // namespace gvbind::gltf
