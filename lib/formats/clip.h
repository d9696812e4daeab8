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

/// Whether a clip moves morph targets, or a glTF has some at rest that are not zero. clip_pose()
/// leaves both out.
bool moves_morphs(const Document& document, std::size_t clip);

/// Adds joints to a scene, and their transforms to its pose of a clip, so that its meshes stand
/// where the document has them in the clip: a mesh without weights follows its node, and a skin of
/// a glTF that binds joints elsewhere than the scene does gets joints of its own. Throws
/// Error(input).
void add_clip_joints(const Document& document, std::size_t clip, double seconds, Scene& scene,
                     std::vector<Eigen::Affine3d>& pose);

/// The rotation and scale, about the origin, from the document's world to bind space, as used in
/// poses of clips.
Eigen::Affine3d world_to_bind(const Document& document, const Scene& scene);

}  // namespace gvbind
