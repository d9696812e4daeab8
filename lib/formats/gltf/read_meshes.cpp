// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <map>
#include <numeric>

#include "formats/gltf/mesh.h"
#include "formats/gltf/read_source.h"

namespace gvbind {
namespace {

using gltf::find;
using gltf::list;
using gltf::name_of;

constexpr std::size_t list_mode = 4;  // of triangles; strips and fans follow

/// Vertices that primitives with the same attributes share.
struct VertexRange {
  std::size_t first = 0, count = 0;
  std::size_t source = 0;  ///< start in gltf::MeshData
};

std::string key_of(const Json& primitive) {
  std::string key = primitive["attributes"].dump(-1, ' ', false, Json::error_handler_t::replace);
  if (const Json* targets = find(primitive, "targets"))
    key += targets->dump(-1, ' ', false, Json::error_handler_t::replace);
  if (const Json* draco = gltf::extension(primitive, "KHR_draco_mesh_compression"))
    key += " draco " + (*draco)["bufferView"].dump();
  return key;
}

std::vector<double> rows_of(const gltf::AccessorRows& rows, std::size_t columns, std::size_t count,
                            const gltf::JsonElement& element) {
  if (rows.count() < count) gltf::fail(element, "has fewer values of an attribute than vertices");
  std::vector<double> out(columns * count);
  if (count > 0) rows.read(0, count, out.data());
  return out;
}

struct PrimitiveSource {
  const GltfDocument& document;
  const Json& json;
  const std::optional<gltf::DracoPrimitive>& draco;
  const VertexRange& range;
  gltf::JsonElement element;
};

/// Runs `read`; if the data is damaged, counts the loss and leaves it out.
template <typename Read>
void unless_damaged(DroppedFeatures& losses, const std::string& what, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    losses.add("damaged " + what, "damaged " + what + "s");
  }
}

/// Fills the range's part of an attribute, if the primitive has it.
template <typename Vector>
void read_values(const PrimitiveSource& from, const std::string& name, std::vector<Vector>& out,
                 std::size_t total, const Vector& missing, DroppedFeatures& losses) {
  constexpr auto columns = static_cast<std::size_t>(Vector::RowsAtCompileTime);
  const Json* accessor = find(from.json["attributes"], name.c_str());
  if (!accessor) return;
  std::size_t stored = columns;
  if (name == "COLOR_0")
    stored =
        gltf::accessor_shape(from.document.json, accessor->get<std::size_t>()).columns == 3 ? 3 : 4;
  const std::vector<double> rows =
      rows_of(gltf::read_attribute(from.document, from.json, from.draco, name, stored), stored,
              from.range.count, from.element);
  out.resize(total, missing);
  std::size_t bad = 0;
  for (std::size_t v = 0; v < from.range.count; ++v) {
    Vector& value = out[from.range.first + v];
    for (std::size_t k = 0; k < stored; ++k)
      value[static_cast<Eigen::Index>(k)] = static_cast<float>(rows[v * stored + k]);
    if (value.allFinite()) continue;
    value = missing;
    if (columns == 3) value[2] = 1.0f;  // normals must not be zero
    ++bad;
  }
  losses.add(name + " of a vertex that is not finite", name + " of vertices that is not finite",
             bad);
}

template <typename Vector>
void take_attribute(const PrimitiveSource& from, const std::string& name, std::vector<Vector>& out,
                    std::size_t total, const Vector& missing, DroppedFeatures& losses) {
  unless_damaged(losses, "attribute " + name,
                 [&] { read_values(from, name, out, total, missing, losses); });
}

void take_attributes(const PrimitiveSource& from, std::size_t total, Mesh& mesh,
                     DroppedFeatures& losses) {
  take_attribute(from, "NORMAL", mesh.normals, total, Eigen::Vector3f(0, 0, 0), losses);
  take_attribute(from, "TANGENT", mesh.tangents, total, Eigen::Vector4f(1, 0, 0, 1), losses);
  take_attribute(from, "COLOR_0", mesh.colors, total, Eigen::Vector4f(1, 1, 1, 1), losses);
  for (const auto& [name, value] : from.json["attributes"].items()) {
    if (name.starts_with("_"))
      losses.add("attribute of a program's own", "attributes of programs' own");
    if (name.starts_with("COLOR_") && name != "COLOR_0")
      losses.add("further set of vertex colors", "further sets of vertex colors");
  }
  for (std::size_t set = 0;; ++set) {
    const std::string name = "TEXCOORD_" + std::to_string(set);
    if (!find(from.json["attributes"], name.c_str())) break;
    if (mesh.uvs.size() <= set) mesh.uvs.resize(set + 1);
    take_attribute(from, name, mesh.uvs[set], total, Eigen::Vector2f(0, 0), losses);
  }
}

void take_offsets(const PrimitiveSource& from, const Json& target, const char* name,
                  std::size_t total, std::vector<Eigen::Vector3f>& out, DroppedFeatures& losses) {
  const Json* value = find(target, name);
  if (!value) return;
  const std::size_t accessors = list(from.document.json, "accessors").size();
  const std::size_t accessor = gltf::index_value(*value, accessors, from.element, name);
  const std::vector<double> rows =
      rows_of(gltf::AccessorRows(from.document, accessor, 3), 3, from.range.count, from.element);
  out.resize(total, Eigen::Vector3f::Zero());
  std::size_t bad = 0;
  for (std::size_t v = 0; v < from.range.count; ++v) {
    Eigen::Vector3f& offset = out[from.range.first + v];
    offset = Eigen::Map<const Eigen::Vector3d>(rows.data() + 3 * v).cast<float>();
    if (offset.allFinite()) continue;
    offset.setZero();
    ++bad;
  }
  losses.add("morph target's offset that is not finite",
             "morph targets' offsets that are not finite", bad);
}

void take_morphs(const PrimitiveSource& from, std::size_t total, Mesh& mesh,
                 DroppedFeatures& losses) {
  const Json& targets = list(from.json, "targets");
  if (mesh.morphs.size() < targets.size()) mesh.morphs.resize(targets.size());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    unless_damaged(losses, "morph target", [&] {
      take_offsets(from, targets[t], "POSITION", total, mesh.morphs[t].positions, losses);
      take_offsets(from, targets[t], "NORMAL", total, mesh.morphs[t].normals, losses);
    });
    for (const auto& [name, value] : targets[t].items())
      if (name != "POSITION" && name != "NORMAL")
        losses.add("morph target's " + name, "morph targets' " + name);
  }
}

void name_morphs(const Json& json, Mesh& mesh) {
  const Json* extras = find(json, "extras");
  const Json* names = extras ? find(*extras, "targetNames") : nullptr;
  for (std::size_t t = 0; t < mesh.morphs.size(); ++t) {
    const bool named = names && names->is_array() && t < names->size() && (*names)[t].is_string();
    mesh.morphs[t].name = named ? (*names)[t].get<std::string>() : "target " + std::to_string(t);
    mesh.morphs[t].positions.resize(mesh.positions.size(), Eigen::Vector3f::Zero());
  }
}

/// Adds a primitive's triangles, with the scene's vertex indices, to the submesh of its material.
void add_triangles(const gltf::MeshData& data, std::size_t p, const VertexRange& range,
                   int material, Mesh& mesh) {
  const std::size_t begin = p == 0 ? 0 : data.triangles_until[p - 1];
  auto same = std::ranges::find(mesh.primitives, material, &Submesh::material);
  if (same == mesh.primitives.end()) {
    mesh.primitives.push_back({{}, material});
    same = mesh.primitives.end() - 1;
  }
  for (std::size_t t = begin; t < data.triangles_until[p]; ++t) {
    Triangle triangle = data.triangles[t];
    for (auto& corner : triangle)
      corner = static_cast<std::uint32_t>(corner - range.source + range.first);
    same->triangles.push_back(triangle);
    same->scene_triangles.push_back(static_cast<std::uint32_t>(t));
  }
}

/// Reorders `weights` from the file's vertices to the scene's.
SkinWeights spread_weights(const SkinWeights& weights, const std::vector<VertexRange>& ranges) {
  SkinWeights out;
  for (const VertexRange& range : ranges)
    for (std::size_t v = 0; v < range.count; ++v) out.append_row(weights, range.source + v);
  return out;
}

struct MeshRanges {
  std::vector<VertexRange> ranges;
  std::vector<std::optional<std::size_t>> of_primitive;  ///< none: not carried
  std::size_t total = 0;
};

MeshRanges ranges_of(const Json& json, const gltf::MeshData& data, std::size_t index,
                     DroppedFeatures& losses) {
  MeshRanges out;
  std::map<std::string, std::size_t> known;
  const Json& primitives = json["primitives"];
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    out.of_primitive.emplace_back();
    const auto block = data.layout.blocks_of_primitives[p];
    if (!block) continue;
    if (gltf::count_of(primitives[p], "mode", {"meshes", index}, list_mode) < list_mode) {
      losses.add("primitive of points or lines", "primitives of points or lines");
      continue;
    }
    const auto [same, is_new] = known.emplace(key_of(primitives[p]), out.ranges.size());
    out.of_primitive.back() = same->second;
    if (!is_new) continue;
    const gltf::PositionBlock& place = data.layout.blocks[*block];
    out.ranges.push_back({out.total, place.count, place.first});
    out.total += place.count;
  }
  return out;
}

/// Calls `visit` for each corner of a vertex that is `bare`, with the normal of its triangle, as
/// long as twice the triangle's area.
template <typename Visit>
void for_each_bare_corner(const Mesh& mesh, const std::vector<bool>& bare, const Visit& visit) {
  for (const Submesh& primitive : mesh.primitives)
    for (const Triangle& t : primitive.triangles) {
      const auto at = [&](int k) -> Eigen::Vector3d { return mesh.positions[t[k]].cast<double>(); };
      const Eigen::Vector3d normal = (at(1) - at(0)).cross(at(2) - at(0));
      if (normal.isZero(0)) continue;
      for (const std::uint32_t v : t)
        if (bare[v]) visit(v, normal);
    }
}

/// glTF draws a primitive without normals flat. Where another primitive of the mesh has normals,
/// each vertex of the bare one gets the mean normal of its triangles.
void add_missing_normals(const std::vector<bool>& bare, Mesh& mesh, DroppedFeatures& losses) {
  constexpr double flat = 0.999;  // cosine
  if (mesh.normals.empty()) return;
  std::vector<Eigen::Vector3d> mean(bare.size(), Eigen::Vector3d::Zero());
  std::vector<bool> smooth(bare.size(), false);
  for_each_bare_corner(mesh, bare, [&](std::uint32_t v, const auto& normal) { mean[v] += normal; });
  for (std::size_t v = 0; v < bare.size(); ++v) {
    if (!bare[v]) continue;
    mean[v] = mean[v].isZero(0) ? Eigen::Vector3d::UnitZ() : mean[v].normalized();
    mesh.normals[v] = mean[v].cast<float>();
  }
  for_each_bare_corner(mesh, bare, [&](std::uint32_t v, const auto& normal) {
    if (mean[v].dot(normal) < flat * normal.norm()) smooth[v] = true;
  });
  losses.add("vertex without a normal between flat triangles, smooth now",
             "vertices without normals between flat triangles, smooth now",
             static_cast<std::size_t>(std::ranges::count(smooth, true)));
}

/// Number of slots of the largest skin used with the mesh.
std::size_t slots_of(const NodeScene& scene, std::size_t mesh) {
  std::size_t out = 0;
  for (const Node& node : scene.nodes)
    if (node.mesh == static_cast<int>(mesh) && node.skin >= 0)
      out = std::max(out, scene.skins[node.skin].joints.size());
  return out;
}

Mesh read_one(const GltfSource& source, const NodeScene& scene, std::size_t index) {
  const GltfDocument& document = source.document;
  const gltf::JsonElement element{"meshes", index};
  const Json& json = document.json["meshes"][index];
  const gltf::MeshData data = gltf::read_mesh(document, index);
  const MeshRanges ranges = ranges_of(json, data, index, source.losses);
  Mesh mesh;
  mesh.name = name_of(json, "mesh", index);
  for (const VertexRange& range : ranges.ranges)
    for (std::size_t v = 0; v < range.count; ++v)
      mesh.positions.push_back(data.positions[range.source + v].cast<float>());
  std::vector<bool> taken(ranges.ranges.size(), false), bare(ranges.total, false);
  for (std::size_t p = 0; p < ranges.of_primitive.size(); ++p) {
    if (!ranges.of_primitive[p]) continue;
    const VertexRange& range = ranges.ranges[*ranges.of_primitive[p]];
    const Json& primitive = json["primitives"][p];
    const auto material =
        gltf::index_of(primitive, "material", list(document.json, "materials").size(), element);
    add_triangles(data, p, range, material ? static_cast<int>(*material) : -1, mesh);
    // Primitives that share vertices also share their attributes: read these once.
    if (taken[*ranges.of_primitive[p]]) continue;
    taken[*ranges.of_primitive[p]] = true;
    const PrimitiveSource from{document, primitive, data.draco[p], range, element};
    if (!find(primitive["attributes"], "NORMAL"))
      std::fill_n(bare.begin() + static_cast<std::ptrdiff_t>(range.first), range.count, true);
    take_attributes(from, ranges.total, mesh, source.losses);
    take_morphs(from, ranges.total, mesh, source.losses);
  }
  name_morphs(json, mesh);
  add_missing_normals(bare, mesh, source.losses);
  for (std::size_t set = 0; set < mesh.uvs.size(); ++set)
    mesh.uv_names.push_back("map" + std::to_string(set + 1));
  if (const std::size_t slots = slots_of(scene, index); slots > 0) {
    // The scene keeps slots of the skin, not joints, so that nodes with other skins can share the
    // mesh.
    std::vector<int> own(slots);
    std::iota(own.begin(), own.end(), 0);
    const SkinWeights rows = gltf::read_weights(document, index, data, own, true).rows;
    if (rows.vertex_count() == data.positions.size())
      mesh.weights = spread_weights(rows, ranges.ranges);
  }
  return mesh;
}

}  // namespace

void read_gltf_meshes(GltfSource& source, NodeScene& scene) {
  const Json& root = source.document.json;
  for (std::size_t m = 0; m < list(root, "meshes").size(); ++m)
    scene.meshes.push_back(read_one(source, scene, m));
  for (std::size_t i = 0; i < source.node_of.size(); ++i) {
    Node& node = scene.nodes[source.node_of[i]];
    if (node.mesh < 0) continue;
    const auto mesh = static_cast<std::size_t>(node.mesh);
    const std::size_t count = scene.meshes[mesh].morphs.size();
    const Json& holder =
        find(root["nodes"][i], "weights") ? root["nodes"][i] : root["meshes"][mesh];
    node.morph_weights = number_list(holder, "weights", std::vector<double>(count, 0.0));
  }
}

}  // namespace gvbind
