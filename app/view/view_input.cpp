#include "view/view_input.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

#include "formats/convert/convert.h"
#include "formats/convert/missing_pictures.h"
#include "formats/gltf/write_scene.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Never written; the conversions take the format from the name.
constexpr const char* as_glb = "view.glb";

/// Leaves out everything that the page does not draw.
void keep_drawn(NodeScene& scene) {
  scene.cameras.clear();
  scene.lights.clear();
  for (Node& node : scene.nodes) {
    node.camera = node.light = -1;
    node.extras.clear();
  }
  for (Mesh& mesh : scene.meshes) mesh.tangents.clear();
  std::vector<ImageFile> images;
  std::vector<int> moved_to(scene.images.size(), -1);
  for (Material& material : scene.materials) {
    for (Texture* unused : {&material.emissive_map, &material.normal_map, &material.metal_rough_map,
                            &material.occlusion_map})
      unused->image = -1;
    int& image = material.color_map.image;
    if (image < 0) continue;
    if (moved_to[image] < 0) {
      moved_to[image] = static_cast<int>(images.size());
      images.push_back(std::move(scene.images[image]));
    }
    image = moved_to[image];
  }
  scene.images = std::move(images);
}

/// A page has the weights beside the glTF, any number of them per vertex.
void drop_skins(NodeScene& scene) {
  scene.skins.clear();
  for (Node& node : scene.nodes) node.skin = -1;
  for (Mesh& mesh : scene.meshes) mesh.weights = {};
}

NodeScene node_scene(const Document& document, const std::string& path, const ReadOptions& reading,
                     Findings& findings) {
  if (!std::holds_alternative<Scene>(document)) return read_node_scene(document, reading);
  DroppedFeatures dropped;
  return convert_imported(path, as_glb, {.reading = reading}, dropped, findings).scene;
}

}  // namespace

ViewInput read_view(const std::string& path, const ReadLimits& limits) {
  ViewInput input;
  input.path = path;
  const ReadOptions reading = read_options(limits, path);
  const Document file = read_document(path, input.findings, reading);
  naming(path, [&] {
    std::ranges::move(missing_pictures(file, reading), std::back_inserter(input.findings));
    NodeScene nodes = node_scene(file, path, reading, input.findings);
    keep_drawn(nodes);
    Findings ignored;
    // Encode and read back: JSON built in memory has other number types than parsed JSON.
    input.document = parse_gltf(std::move(encode(write_gltf(nodes), as_glb, ignored).front().bytes),
                                as_glb, reading);
    input.scene = scene_of(input.document, {}, ignored, {.attributes = false});
    // Of VRM 0 it is an extension of the file that says where the front is.
    if (std::holds_alternative<std::shared_ptr<GltfDocument>>(file))
      input.scene.units =
          scene_of(file, {}, ignored, {.weights = false, .attributes = false}).units;
    if (input.scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, path + ": holds no mesh");
    drop_skins(nodes);
    input.glb = std::move(encode(write_gltf(nodes), as_glb, ignored).front().bytes);
  });
  return input;
}

}  // namespace gvbind
