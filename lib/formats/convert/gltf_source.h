#pragma once

// Tested by tests/command/convert_back_test.py.

#include <initializer_list>

#include "character/whole_scene.h"
#include "formats/convert/convert.h"
#include "formats/gltf/document.h"
#include "formats/gltf/scene.h"

namespace gvbind::whole {

using gltf::Json;

/// A glTF on its way into a scene: what every part of the reader looks up.
struct GltfSource {
  const GltfDocument& document;
  const ConvertOptions& options;
  const gltf::SceneJoints& joints;
  DroppedFeatures& losses;
  std::vector<int> node_of = {};  ///< by node of the document: that of the scene
};

/// A list of finite numbers, `missing` where it is none or has another length.
std::vector<double> number_list(const Json& object, const char* key, std::vector<double> missing);
double number_in(const Json& object, const char* key, double missing);
std::string text_in(const Json& object, const char* key, const std::string& missing);
bool flag_in(const Json& object, const char* key);

// Each part of the scene, in this order. All throw Error(input).
void read_gltf_nodes(GltfSource& source, Scene& scene);  ///< with cameras, lights and extras
void read_gltf_skins(GltfSource& source, Scene& scene);
void read_gltf_materials(GltfSource& source, Scene& scene);  ///< with pictures
void read_gltf_meshes(GltfSource& source, Scene& scene);     ///< with morphs and weights
void read_gltf_clips(GltfSource& source, Scene& scene);

}  // namespace gvbind::whole
