#pragma once

// Tested by tests/command/bake_test.py.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"
#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// Morph targets to be added to the meshes of a scene.
struct NewMorphs {
  std::vector<std::string> names;  ///< one per morph
  /// By mesh of the scene, by morph and by vertex, in the mesh's own space. A mesh without any is
  /// left as it is.
  std::vector<std::vector<std::vector<Eigen::Vector3f>>> deltas;
};

/// How a clip moves them, on every mesh that gets them.
struct MorphTrack {
  std::size_t animation = 0;
  std::vector<double> times;                 ///< seconds, ascending
  std::vector<std::vector<double>> weights;  ///< by key, one per morph
};

/// Appends morph targets and their tracks; all else stays. What meshes have already keeps its
/// index, and its tracks their values: keys are added, and splines become straight between all of
/// them. A mesh that several nodes show is copied for those that get morphs. Returns the bytes of
/// the morphs (sparse where that is less) and of the tracks. Throws Error(input): a mesh whose
/// primitives have different numbers of targets, or that is compressed.
std::size_t add_morphs(GltfDocument& document, const Scene& scene, const NewMorphs& morphs,
                       std::span<const MorphTrack> tracks);

/// Seconds of the last key of an animation; 0 for one without.
double animation_end(const GltfDocument& document, std::size_t animation);

}  // namespace gvbind::gltf
