#pragma once

// Tested by tests/unit/formats/gltf/animation_test.cpp.

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "formats/document.h"

namespace gvbind {

/// Names of the document's animations; none for one that is a scene.
std::vector<std::string> clip_names(const Document& document);

/// By joint of the document's scene, bind space -> posed space, as an animation holds it. `clip` is
/// an index of clip_names. Up is where it is in bind space. A joint whose bind cannot be inverted
/// stays. Throws Error(input).
std::vector<Eigen::Affine3d> clip_pose(const Document& document, const Scene& scene,
                                       std::size_t clip, double seconds);

/// The turn and the scale that poses of clips have on the way from the document's world to bind
/// space, both about the origin.
Eigen::Affine3d world_to_bind(const Document& document, const Scene& scene);

}  // namespace gvbind
