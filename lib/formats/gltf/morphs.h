#pragma once

// Tested by tests/command/bake_test.py.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"
#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// Morph targets to add to the meshes of a scene.
struct NewMorphs {
  std::vector<std::string> names;  ///< one per morph
  /// By mesh of the scene, by morph and by vertex, in the mesh's own space. A mesh without deltas
  /// is left as it is.
  std::vector<std::vector<std::vector<Eigen::Vector3f>>> deltas;
};

/// How a clip moves the new morphs, on every mesh that gets them.
struct MorphTrack {
  std::size_t animation = 0;
  std::vector<double> times;                 ///< seconds, ascending
  std::vector<std::vector<double>> weights;  ///< by key, one per morph
};

/// Appends morph targets and their tracks; all else stays. Old targets keep their index and old
/// tracks their values; tracks get more keys, and cubic splines become linear between all of them.
/// A mesh that several nodes show is copied for the nodes that get morphs. Returns the bytes of the
/// morphs (sparse if that is smaller) and of the tracks. Throws Error(input) for a mesh that is
/// compressed or whose primitives have different numbers of targets.
std::size_t add_morphs(GltfDocument& document, const Scene& scene, const NewMorphs& morphs,
                       std::span<const MorphTrack> tracks);

/// Names of all morph targets, sorted, each once.
std::vector<std::string> morph_names(const GltfDocument& document);

/// Time of the last key of an animation, in seconds; 0 without keys.
double animation_end(const GltfDocument& document, std::size_t animation);

}  // namespace gvbind::gltf
