#include "formats/surface/surface.h"

#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "formats/gltf/document.h"
#include "formats/gltf/mesh.h"
#include "formats/gltf/uri.h"

namespace gvbind {

namespace {

using gltf::find;
using gltf::Json;

/// What a file gets wrong here leaves the picture plainer, and is no reason to draw none.
std::optional<std::size_t> index_in(const Json& root, const char* list, const Json* value) {
  if (!value || !value->is_number_unsigned()) return std::nullopt;
  const auto index = value->get<std::size_t>();
  return index < gltf::list(root, list).size() ? std::optional(index) : std::nullopt;
}

double number_or(const Json* value, double missing) {
  const double number = value && value->is_number() ? value->get<double>() : missing;
  return std::isfinite(number) ? number : missing;
}

template <int Size>
Eigen::Matrix<float, Size, 1> vector_or(const Json* value, float missing) {
  Eigen::Matrix<float, Size, 1> out = Eigen::Matrix<float, Size, 1>::Constant(missing);
  if (!value || !value->is_array() || value->size() != Size) return out;
  for (int i = 0; i < Size; ++i)
    out[i] = static_cast<float>(number_or(&(*value)[static_cast<std::size_t>(i)], double{missing}));
  return out;
}

/// Where a texture looks up a corner's coordinates.
struct Lookup {
  std::string attribute = "TEXCOORD_0";
  Eigen::Vector2f offset = Eigen::Vector2f::Zero(), scale = Eigen::Vector2f::Ones();
  float rotation = 0.0F;

  Eigen::Vector2f operator()(const Eigen::Vector2f& uv) const {
    const Eigen::Vector2f scaled = uv.cwiseProduct(scale);
    const float s = std::sin(rotation), c = std::cos(rotation);
    return offset +
           Eigen::Vector2f(c * scaled.x() + s * scaled.y(), c * scaled.y() - s * scaled.x());
  }
};

struct Reader {
  const GltfDocument& document;
  const Json& root;
  Findings& findings;
  Surface out = {};
  std::vector<Lookup> lookups = {};            ///< by material
  std::map<std::size_t, int> picture_of = {};  ///< by image; -1: none

  std::vector<std::uint8_t> image_bytes(const Json& image) const {
    if (const auto view = index_in(root, "bufferViews", find(image, "bufferView"))) {
      const auto bytes = gltf::view_bytes(document, *view);
      return {bytes.begin(), bytes.end()};
    }
    const Json* uri = find(image, "uri");
    if (!uri || !uri->is_string()) return {};
    const auto& text = uri->get_ref<const std::string&>();
    if (gltf::is_data_uri(text))
      return gltf::decode_data_uri(text).value_or(std::vector<std::uint8_t>());
    return gltf::read_sidecar(document, text);
  }

  int read_picture(std::size_t image) {
    const auto [known, is_new] = picture_of.emplace(image, -1);
    if (!is_new) return known->second;
    std::string why = "is neither PNG nor JPEG, or damaged";
    try {
      if (auto picture = decode_picture(image_bytes(root["images"][image]))) {
        out.pictures.push_back(std::move(*picture));
        return known->second = static_cast<int>(out.pictures.size()) - 1;
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      why = error.what();
    }
    findings.push_back({Severity::warning, "texture-left-out",
                        "images[" + std::to_string(image) + "]: " + why, ""});
    return -1;
  }

  static TextureWrap wrap_of(const Json* code) {
    const double value = number_or(code, 10497);
    return value == 33071   ? TextureWrap::clamp
           : value == 33648 ? TextureWrap::mirror
                            : TextureWrap::repeat;
  }

  void take_texture(const Json& info, SurfaceMaterial& material, Lookup& lookup) {
    const auto texture = index_in(root, "textures", find(info, "index"));
    if (!texture) return;
    const Json& json = root["textures"][*texture];
    const auto image = index_in(root, "images", find(json, "source"));
    if (!image) return;
    material.picture = read_picture(*image);
    if (const auto sampler = index_in(root, "samplers", find(json, "sampler"))) {
      material.wrap_u = wrap_of(find(root["samplers"][*sampler], "wrapS"));
      material.wrap_v = wrap_of(find(root["samplers"][*sampler], "wrapT"));
    }
    const Json* set = find(info, "texCoord");
    const Json* transform = gltf::extension(info, "KHR_texture_transform");
    if (transform) {
      lookup.offset = vector_or<2>(find(*transform, "offset"), 0.0F);
      lookup.scale = vector_or<2>(find(*transform, "scale"), 1.0F);
      lookup.rotation = static_cast<float>(number_or(find(*transform, "rotation"), 0.0));
      if (const Json* other = find(*transform, "texCoord")) set = other;
    }
    lookup.attribute = "TEXCOORD_" + std::to_string(static_cast<int>(number_or(set, 0.0)));
  }

  void read_material(const Json& json) {
    SurfaceMaterial material;
    Lookup lookup;
    if (const Json* surface = find(json, "pbrMetallicRoughness")) {
      material.color = vector_or<4>(find(*surface, "baseColorFactor"), 1.0F);
      if (const Json* info = find(*surface, "baseColorTexture"))
        take_texture(*info, material, lookup);
    }
    if (const Json* mode = find(json, "alphaMode"))
      material.alpha = *mode == "MASK"    ? SurfaceMaterial::Alpha::mask
                       : *mode == "BLEND" ? SurfaceMaterial::Alpha::blend
                                          : SurfaceMaterial::Alpha::opaque;
    material.cutoff = static_cast<float>(number_or(find(json, "alphaCutoff"), 0.5));
    material.unlit = gltf::extension(json, "KHR_materials_unlit") != nullptr;
    out.materials.push_back(material);
    lookups.push_back(lookup);
  }

  /// Rows of an attribute that is there, of as many columns as it has.
  std::optional<gltf::AccessorValues> attribute(const Json& primitive,
                                                const std::optional<gltf::DracoPrimitive>& draco,
                                                const std::string& name) const {
    const Json* accessor = find(primitive["attributes"], name.c_str());
    if (!accessor) return std::nullopt;
    gltf::AccessorValues rows;
    rows.columns = gltf::accessor_shape(root, accessor->get<std::size_t>()).columns;
    const gltf::AccessorRows read =
        gltf::read_attribute(document, primitive, draco, name, rows.columns);
    rows.count = read.count();
    rows.values.resize(rows.count * rows.columns);
    read.read(0, rows.count, rows.values.data());
    return rows;
  }

  void add_primitive(const Json& primitive, const gltf::MeshData& data, std::size_t number,
                     std::span<const Triangle> triangles, std::vector<SurfaceTriangle>& to) const {
    const auto material = index_in(root, "materials", find(primitive, "material"));
    const Lookup lookup = material ? lookups[*material] : Lookup();
    const auto uvs = attribute(primitive, data.draco[number], lookup.attribute);
    const auto colors = attribute(primitive, data.draco[number], "COLOR_0");
    const std::size_t first =
        triangles.empty() ? 0 : data.layout.blocks[*data.layout.blocks_of_primitives[number]].first;
    for (const Triangle& t : triangles) {
      SurfaceTriangle surface;
      surface.material = material ? static_cast<int>(*material) : -1;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t row = t[k] - first;
        surface.uvs[k].setZero();
        surface.colors[k].setOnes();
        if (uvs && uvs->columns == 2 && row < uvs->count)
          surface.uvs[k] = lookup(Eigen::Vector2d(uvs->row(row).data()).cast<float>());
        if (colors && row < colors->count)
          for (std::size_t c = 0; c < std::min<std::size_t>(4, colors->columns); ++c)
            surface.colors[k][static_cast<Eigen::Index>(c)] =
                static_cast<float>(colors->row(row)[c]);
      }
      to.push_back(surface);
    }
  }

  std::vector<SurfaceTriangle> mesh_surface(const SceneMesh& mesh) const {
    const Json& node = root["nodes"][static_cast<std::size_t>(mesh.node)];
    const std::size_t index = node["mesh"].get<std::size_t>();
    const gltf::MeshData data = gltf::read_mesh(document, index);
    const Json& primitives = root["meshes"][index]["primitives"];
    std::vector<SurfaceTriangle> triangles;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < primitives.size(); ++i) {
      const std::size_t end = std::min(data.triangles_until[i], mesh.triangles.size());
      add_primitive(primitives[i], data, i, std::span(mesh.triangles).subspan(begin, end - begin),
                    triangles);
      begin = end;
    }
    return triangles;
  }
};

}  // namespace

Surface read_surface(const GltfDocument& document, const Scene& scene, Findings& findings) {
  return gltf::with_path(document.path, [&] {
    Reader reader{document, document.json, findings};
    for (const Json& material : gltf::list(document.json, "materials"))
      reader.read_material(material);
    for (const SceneMesh& mesh : scene.meshes)
      reader.out.meshes.push_back(reader.mesh_surface(mesh));
    return std::move(reader.out);
  });
}

}  // namespace gvbind
