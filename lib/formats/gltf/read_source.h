#pragma once

// Tested by tests/command/convert_back_test.py.

#include "character/node_scene.h"
#include "formats/gltf/document.h"
#include "formats/gltf/json_values.h"
#include "formats/gltf/scene.h"

namespace gvbind {

using gltf::flag_in;
using gltf::Json;
using gltf::number_in;
using gltf::number_list;
using gltf::text_in;

/// A glTF on its way into a scene: what every part of the reader looks up.
struct GltfSource {
  const GltfDocument& document;
  const gltf::SceneJoints& joints;
  DroppedFeatures& losses;
  std::vector<int> node_of = {};  ///< by node of the document: that of the scene
};

// Each part of the scene, in this order. All throw Error(input).
void read_gltf_nodes(GltfSource& source, NodeScene& scene);  ///< with cameras, lights and extras
void read_gltf_skins(GltfSource& source, NodeScene& scene);
void read_gltf_meshes(GltfSource& source, NodeScene& scene);  ///< with morphs and weights
void read_gltf_clips(GltfSource& source, NodeScene& scene);

}  // namespace gvbind
