#include "formats/gltf/mesh.h"

#include <algorithm>
#include <map>
#include <utility>

#include "formats/gltf/append.h"
#include "gvbind/base/parallel.h"

namespace gvbind::gltf {

namespace {

constexpr std::size_t max_vertices = std::size_t{1} << 28;

enum class Mode : std::size_t { triangles = 4, strip = 5, fan = 6 };

constexpr std::size_t rows_per_task = 8192;  // smaller tasks are not worth a thread

/// The corners of one primitive, as vertices of the mesh.
struct Corners {
  static constexpr std::uint32_t outside = static_cast<std::uint32_t>(-1);
  std::optional<AccessorRows> indices;
  std::span<const std::uint32_t> decoded;
  bool in_order = false;  ///< no indices: the vertices one after the other
  std::size_t first_vertex = 0, vertex_count = 0;
  std::size_t count = 0;

  std::uint32_t at(std::size_t i) const {
    if (in_order) return static_cast<std::uint32_t>(first_vertex + i);
    if (!indices) return static_cast<std::uint32_t>(first_vertex + decoded[i]);
    double index = 0;
    indices->read(i, i + 1, &index);
    return vertex(index);
  }
  std::uint32_t vertex(double index) const {
    if (!(index >= 0 && index < static_cast<double>(vertex_count))) return outside;
    return static_cast<std::uint32_t>(first_vertex + static_cast<std::size_t>(index));
  }
};

Corners corners_of(const GltfDocument& document, const Json& primitive,
                   const std::optional<DracoPrimitive>& draco, const PositionBlock& block,
                   const JsonElement& element) {
  Corners corners;
  corners.first_vertex = block.first;
  corners.vertex_count = corners.count = block.count;
  if (draco) {
    if (draco->vertex_count != block.count)
      fail(element, "differs in size from its compressed data");
    corners.decoded = draco->indices;
    corners.count = draco->indices.size();
  } else if (const Json* accessor = find(primitive, "indices")) {
    corners.indices.emplace(document, accessor->get<std::size_t>(), 1);
    corners.count = corners.indices->count();
  } else {
    corners.in_order = true;
  }
  return corners;
}

// Indices must be in range even if they form no triangle.
void check_corner(const Corners& corners, std::size_t i, const JsonElement& element) {
  if (corners.at(i) == Corners::outside)
    fail(element, "index " + std::to_string(i) + " of a primitive is out of range (" +
                      std::to_string(corners.vertex_count) + " vertices)");
}

void add_list(const Corners& corners, const JsonElement& element, std::vector<Triangle>& out) {
  const std::size_t base = out.size(), count = corners.count / 3;
  out.resize(base + count);
  const std::size_t bad = first_failing(count, rows_per_task, [&](std::size_t t) {
    Triangle& triangle = out[base + t];
    if (corners.indices) {
      double three[3];
      corners.indices->read(3 * t, 3 * t + 3, three);
      triangle = {corners.vertex(three[0]), corners.vertex(three[1]), corners.vertex(three[2])};
    } else {
      triangle = {corners.at(3 * t), corners.at(3 * t + 1), corners.at(3 * t + 2)};
    }
    return triangle[0] != Corners::outside && triangle[1] != Corners::outside &&
           triangle[2] != Corners::outside;
  });
  for (std::size_t i = 3 * bad; i < corners.count; ++i) check_corner(corners, i, element);
}

// Degenerate triangles join the parts of a strip and are skipped; lists keep them as in the file.
void add_unless_flat(std::vector<Triangle>& out, std::uint32_t a, std::uint32_t b,
                     std::uint32_t c) {
  if (a != b && b != c && c != a) out.push_back({a, b, c});
}

void add_triangles(const Corners& corners, std::size_t mode, const JsonElement& element,
                   std::vector<Triangle>& out) {
  if (mode == static_cast<std::size_t>(Mode::triangles)) return add_list(corners, element, out);
  for (std::size_t i = 0; i < corners.count; ++i) check_corner(corners, i, element);
  if (mode == static_cast<std::size_t>(Mode::strip))
    for (std::size_t i = 0; i + 2 < corners.count; ++i)
      add_unless_flat(out, corners.at(i), corners.at(i + 1 + i % 2), corners.at(i + 2 - i % 2));
  else if (mode == static_cast<std::size_t>(Mode::fan))
    for (std::size_t i = 1; i + 1 < corners.count; ++i)
      add_unless_flat(out, corners.at(0), corners.at(i), corners.at(i + 1));
}

void read_positions(const GltfDocument& document, const Json& primitive, MeshData& data,
                    std::size_t primitive_index, const JsonElement& element) {
  const PositionBlock& block =
      data.layout.blocks[*data.layout.blocks_of_primitives[primitive_index]];
  const AccessorRows rows =
      read_attribute(document, primitive, data.draco[primitive_index], "POSITION", 3);
  const std::size_t base = data.positions.size();
  data.positions.resize(base + rows.count());
  const std::size_t bad = first_failing(rows.count(), rows_per_task, [&](std::size_t i) {
    Eigen::Vector3d& position = data.positions[base + i];
    rows.read(i, i + 1, position.data());
    return position.allFinite();
  });
  if (bad < rows.count())
    fail(element, "position " + std::to_string(bad) + " of accessors[" +
                      std::to_string(block.accessor) + "] is not finite");
}

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
  // Compressed data is always a list of triangles, whatever the mode.
  if (find(written, "mode")) written["mode"] = 4;
}

/// Vertices that primitives share: the accessors of their places and weights.
using BlockKey = std::vector<std::optional<std::size_t>>;

BlockKey block_key(const Json& attributes, const PositionBlock& block) {
  BlockKey key = {block.accessor, block.draco_view};
  for (std::size_t n = 0;; ++n) {
    const Json* joints = find(attributes, ("JOINTS_" + std::to_string(n)).c_str());
    const Json* weights = find(attributes, ("WEIGHTS_" + std::to_string(n)).c_str());
    if (!joints || !weights) return key;
    key.insert(key.end(), {joints->get<std::size_t>(), weights->get<std::size_t>()});
  }
}

}  // namespace

MeshLayout mesh_layout(const Json& root, std::size_t mesh) {
  MeshLayout layout;
  std::map<BlockKey, std::size_t> known;
  for (const Json& primitive : root["meshes"][mesh]["primitives"]) {
    const Json* position = find(primitive["attributes"], "POSITION");
    if (!position) {
      layout.blocks_of_primitives.emplace_back();
      continue;
    }
    PositionBlock block{position->get<std::size_t>(), {}, layout.vertex_count, 0};
    if (const Json* draco = extension(primitive, "KHR_draco_mesh_compression"))
      block.draco_view = (*draco)["bufferView"].get<std::size_t>();
    const auto [same, is_new] =
        known.emplace(block_key(primitive["attributes"], block), layout.blocks.size());
    layout.blocks_of_primitives.emplace_back(same->second);
    if (!is_new) continue;
    block.count = accessor_shape(root, block.accessor).count;
    layout.vertex_count += block.count;
    if (block.count > max_vertices || layout.vertex_count > max_vertices)
      fail(JsonElement{"meshes", mesh}, "has too many vertices");
    layout.blocks.push_back(block);
  }
  return layout;
}

AccessorRows read_attribute(const GltfDocument& document, const Json& primitive,
                            const std::optional<DracoPrimitive>& draco, const std::string& name,
                            std::size_t columns) {
  const std::size_t accessor = primitive["attributes"][name].get<std::size_t>();
  if (draco) {
    const auto found = draco->attributes.find(name);
    if (found != draco->attributes.end()) {
      AccessorValues values = found->second;
      const AccessorShape shape = accessor_shape(document.json, accessor);
      if (values.columns != columns || values.count != shape.count)
        fail(JsonElement{"accessors", accessor}, "differs in size from its compressed data");
      normalize_integers(values, shape);
      return AccessorRows(std::move(values));
    }
  }
  return {document, accessor, columns};
}

MeshData read_mesh(const GltfDocument& document, std::size_t mesh) {
  const JsonElement element{"meshes", mesh};
  const Json& primitives = document.json["meshes"][mesh]["primitives"];
  MeshData data;
  data.layout = mesh_layout(document.json, mesh);
  std::size_t blocks_read = 0;
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    data.draco.push_back(decode_draco(document, primitives[i]));
    const auto block = data.layout.blocks_of_primitives[i];
    data.triangles_until.push_back(data.triangles.size());
    if (!block) continue;
    if (*block == blocks_read) {
      read_positions(document, primitives[i], data, i, element);
      ++blocks_read;
    }
    const std::size_t mode = count_of(primitives[i], "mode", element, 4);
    add_triangles(
        corners_of(document, primitives[i], data.draco[i], data.layout.blocks[*block], element),
        mode, element, data.triangles);
    data.triangles_until.back() = data.triangles.size();
  }
  return data;
}

std::vector<WeightSet> weight_sets(const GltfDocument& document, const Json& primitive,
                                   const std::optional<DracoPrimitive>& draco) {
  std::vector<WeightSet> sets;
  for (std::size_t n = 0;; ++n) {
    const std::string joints = "JOINTS_" + std::to_string(n);
    const std::string weights = "WEIGHTS_" + std::to_string(n);
    if (!find(primitive["attributes"], joints.c_str()) ||
        !find(primitive["attributes"], weights.c_str()))
      return sets;
    sets.push_back({read_attribute(document, primitive, draco, joints, 4),
                    read_attribute(document, primitive, draco, weights, 4)});
  }
}

OldWeights read_weights(const GltfDocument& document, std::size_t mesh, const MeshData& data,
                        std::span<const int> joint_of_slot, bool with_rows) {
  const Json& primitives = document.json["meshes"][mesh]["primitives"];
  OldWeights out;
  for (std::size_t b = 0; b < data.layout.blocks.size(); ++b) {
    const auto& users = data.layout.blocks_of_primitives;
    const auto primitive = static_cast<std::size_t>(std::ranges::find(users, b) - users.begin());
    const auto sets = weight_sets(document, primitives[primitive], data.draco[primitive]);
    const std::size_t count = data.layout.blocks[b].count;
    for (const WeightSet& set : sets)
      if (set.joints.count() < count || set.weights.count() < count)
        fail(JsonElement{"meshes", mesh}, "has fewer joints or weights than vertices");
    const std::size_t unsound = count_unsound(sets, joint_of_slot.size(), count);
    out.dropped += unsound;
    if (!with_rows) continue;
    if (unsound > 0) {
      const auto first = static_cast<std::uint32_t>(data.layout.blocks[b].first);
      const auto vertices = unsound_vertices(sets, joint_of_slot.size(), count, first);
      out.damaged_vertices.insert(out.damaged_vertices.end(), vertices.begin(), vertices.end());
    }
    append_rows(sets, joint_of_slot, count, out.rows);
  }
  return out;
}

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
