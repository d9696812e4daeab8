#include "preview/surface.h"

#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "formats/gltf/document.h"
#include "formats/gltf/json_values.h"
#include "formats/gltf/mesh.h"
#include "formats/gltf/read_materials.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

using gltf::find;
using gltf::Json;

/// Texture coordinates of a corner after the texture's transform.
Eigen::Vector2f placed(const Texture& texture, const Eigen::Vector2f& uv) {
  const Eigen::Vector2f scaled = uv.cwiseProduct(texture.scale.cast<float>());
  const float rotation = static_cast<float>(texture.rotation);
  const float s = std::sin(rotation), c = std::cos(rotation);
  return texture.offset.cast<float>() +
         Eigen::Vector2f(c * scaled.x() + s * scaled.y(), c * scaled.y() - s * scaled.x());
}

struct Reader {
  const GltfDocument& document;
  const Json& root;
  Findings& findings;
  Surface out = {};
  std::map<int, int> picture_of_image = {};  ///< -1: none

  int read_picture(int image) {
    const auto [known, is_new] = picture_of_image.emplace(image, -1);
    if (!is_new) return known->second;
    std::string why = "is neither PNG nor JPEG, or damaged";
    try {
      const auto bytes = gltf::image_bytes(document, static_cast<std::size_t>(image));
      if (auto picture = decode_picture(bytes)) {
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

  void read_materials() {
    std::vector<int> images(gltf::list(root, "images").size());
    std::iota(images.begin(), images.end(), 0);
    DroppedFeatures not_drawn;
    out.materials = gltf::read_materials(document, images, not_drawn);
    for (Material& material : out.materials)
      if (material.color_map.image >= 0)
        material.color_map.image = read_picture(material.color_map.image);
  }

  /// Reads an attribute with its own component count.
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
    const auto material = gltf::index_in(primitive, "material", out.materials.size());
    const Texture texture = material ? out.materials[*material].color_map : Texture();
    const auto uvs =
        attribute(primitive, data.draco[number], "TEXCOORD_" + std::to_string(texture.uv));
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
          surface.uvs[k] = placed(texture, Eigen::Vector2d(uvs->row(row).data()).cast<float>());
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
    reader.read_materials();
    for (const SceneMesh& mesh : scene.meshes)
      reader.out.meshes.push_back(reader.mesh_surface(mesh));
    return std::move(reader.out);
  });
}

}  // namespace gvbind
