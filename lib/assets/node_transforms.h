#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "assets/document.h"

namespace gvbind {

/// Where the document's nodes hold the joints of its scene, one a joint: node -> world. Empty for a
/// document that is a scene, which holds no nodes.
std::vector<Eigen::Affine3d> node_transforms(const Document& document, const Scene& scene);

}  // namespace gvbind
