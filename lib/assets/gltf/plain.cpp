#include "assets/gltf/plain.h"

#include "assets/gltf/append.h"

namespace gvbind::gltf {
namespace {

constexpr const char* draco_extension = "KHR_draco_mesh_compression";
constexpr std::size_t no_accessor = static_cast<std::size_t>(-1);

bool is_skin_attribute(const std::string& name) {
  return name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
}

void write_attributes(GltfDocument& document, std::size_t mesh, std::size_t primitive,
                      const DracoPrimitive& draco, std::size_t view, PlainAccessors& done) {
  for (const auto& [name, values] : draco.attributes) {
    if (is_skin_attribute(name)) continue;
    const auto json = [&, &name = name]() -> Json& {
      return document.json["meshes"][mesh]["primitives"][primitive]["attributes"][name];
    };
    const std::size_t old = json().get<std::size_t>();
    AccessorShape shape = accessor_shape(document.json, old);
    if (shape.columns != values.columns || shape.count != values.count)
      fail(JsonElement{"accessors", old}, "differs in size from its compressed data");
    if (!done.attributes.contains({view, old}))
      done.attributes[{view, old}] =
          append_values(document, values.values, shape, ViewTarget::vertices, name == "POSITION");
    json() = done.attributes[{view, old}];
  }
}

void write_indices(GltfDocument& document, std::size_t mesh, std::size_t primitive,
                   const DracoPrimitive& draco, std::size_t view, PlainAccessors& done) {
  Json& json = document.json["meshes"][mesh]["primitives"][primitive];
  const Json* old = find(json, "indices");
  const std::size_t key = old ? old->get<std::size_t>() : no_accessor;
  if (!done.indices.contains({view, key})) {
    AccessorShape shape;
    constexpr std::size_t restart = 0xffff;
    shape.component = draco.vertex_count <= restart ? ComponentType::u16 : ComponentType::u32;
    shape.count = draco.indices.size();
    const std::vector<double> values(draco.indices.begin(), draco.indices.end());
    done.indices[{view, key}] = append_values(document, values, shape, ViewTarget::indices, false);
  }
  Json& written = document.json["meshes"][mesh]["primitives"][primitive];
  written["indices"] = done.indices[{view, key}];
  // Compressed data are a list of triangles, whatever the mode.
  if (find(written, "mode")) written["mode"] = 4;
}

}  // namespace

void write_plain(GltfDocument& document, std::size_t mesh, PlainAccessors& done) {
  const std::size_t count = document.json["meshes"][mesh]["primitives"].size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto primitive = [&]() -> Json& {
      return document.json["meshes"][mesh]["primitives"][i];
    };
    const auto draco = decode_draco(document, primitive());
    if (!draco || !find(primitive()["attributes"], "POSITION")) continue;
    const std::size_t view =
        (*extension(primitive(), draco_extension))["bufferView"].get<std::size_t>();
    write_attributes(document, mesh, i, *draco, view, done);
    write_indices(document, mesh, i, *draco, view, done);
    Json& extensions = primitive()["extensions"];
    extensions.erase(draco_extension);
    if (extensions.empty()) primitive().erase("extensions");
  }
}

void forget_unused_draco(Json& root) {
  for (const Json& mesh : list(root, "meshes"))
    for (const Json& primitive : mesh["primitives"])
      if (extension(primitive, draco_extension)) return;
  for (const char* key : {"extensionsUsed", "extensionsRequired"}) {
    if (!find(root, key)) continue;
    Json& names = root[key];
    for (std::size_t i = names.size(); i-- > 0;)
      if (names[i] == draco_extension) names.erase(i);
    if (names.empty()) root.erase(key);
  }
}

}  // namespace gvbind::gltf
