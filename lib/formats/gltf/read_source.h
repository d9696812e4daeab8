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

/// The state shared by all parts of the glTF reader.
struct GltfSource {
  const GltfDocument& document;
  const gltf::SceneJoints& joints;
  DroppedFeatures& losses;
  std::vector<int> node_of = {};  ///< by node of the document, the node of the scene
};

// The parts of the reader, in order of their calls. All throw Error(input).
void read_gltf_nodes(GltfSource& source, NodeScene& scene);  ///< with cameras, lights and extras
void read_gltf_skins(GltfSource& source, NodeScene& scene);
void read_gltf_meshes(GltfSource& source, NodeScene& scene);  ///< with morphs and weights
void read_gltf_clips(GltfSource& source, NodeScene& scene);

}  // namespace gvbind
