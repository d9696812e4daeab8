#pragma once

#include "assets/gltf/document.h"
#include "assets/scene.h"

namespace gvbind::gltf {

/// Adds the joints as nodes, in order, and remembers them as the document's joints. Returns the one
/// node above them all, which is not yet in a scene.
std::size_t append_joint_nodes(GltfDocument& document, const Scene& skeleton,
                               const Eigen::Affine3d& bind_to_world);

}  // namespace gvbind::gltf
