#pragma once

#include <vector>

#include "formats/gltf/nodes.h"
#include "formats/gltf/skins.h"

namespace gvbind::gltf {

/// Of each joint of a skin, whether its inverse bind matrix says nothing of where it was bound.
/// A matrix that cannot be inverted says nothing, nor does one that an exporter left at the value
/// of others, mostly the identity, because no vertex follows the joint: several joints that stand
/// apart in the node pose have that matrix. Such a joint keeps it only where its distances to the
/// joints beside it in the skeleton, which have matrices of their own, are those of the node pose:
/// no rotation of joints changes these.
std::vector<bool> missing_inverse_binds(const SkinData& skin, const NodeTree& tree);

}  // namespace gvbind::gltf
