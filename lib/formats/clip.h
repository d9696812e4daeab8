#pragma once

// Tested by tests/unit/formats/gltf/animation_test.cpp.

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "formats/document.h"

namespace gvbind {

/// Names of the document's animations; none if the document is a scene.
std::vector<std::string> clip_names(const Document& document);

/// The transform bind space -> posed space of each joint of the document's scene, at a time of an
/// animation. `clip` is an index into clip_names. The up axis is that of bind space. A joint with a
/// singular bind is not moved. Throws Error(input).
std::vector<Eigen::Affine3d> clip_pose(const Document& document, const Scene& scene,
                                       std::size_t clip, double seconds);

/// The rotation and scale, about the origin, from the document's world to bind space, as used in
/// poses of clips.
Eigen::Affine3d world_to_bind(const Document& document, const Scene& scene);

}  // namespace gvbind
