#pragma once

#include "assets/gltf/nodes.h"
#include "assets/scene.h"

namespace gvbind::gltf {

/// The nodes that look like a skeleton in a document whose skins say nothing: of the subtrees of
/// nodes without mesh, camera or light, those that animations move before others, then the largest
/// and those over half as large, without the wrappers above them. Selection::roots names the top
/// nodes instead; Selection::joints counts where nothing else is found. In the document's order.
std::vector<std::size_t> find_skeleton(const Json& root, const NodeTree& tree,
                                       const Selection& selection);

}  // namespace gvbind::gltf
