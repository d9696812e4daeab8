// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <cmath>

#include "formats/gltf/append.h"
#include "formats/gltf/write_parts.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

using gltf::AccessorShape;
using gltf::ComponentType;
using gltf::list_to_grow;
using gltf::ViewTarget;

constexpr std::size_t set_lanes = 4;       // influences of one set JOINTS_n, WEIGHTS_n
constexpr std::size_t max_joints = 65536;  // that 16 bits of JOINTS_n can name

template <typename Vector>
std::size_t append_rows(GltfDocument& document, const std::vector<Vector>& rows, bool with_bounds) {
  constexpr auto columns = static_cast<std::size_t>(Vector::RowsAtCompileTime);
  std::vector<double> values;
  values.reserve(rows.size() * columns);
  for (const Vector& row : rows)
    for (const auto component : row) values.push_back(static_cast<double>(component));
  AccessorShape shape;
  shape.columns = columns;
  shape.count = rows.size();
  return gltf::append_values(document, values, shape, ViewTarget::vertices, with_bounds);
}

std::size_t append_triangles(GltfDocument& document, const std::vector<Triangle>& triangles,
                             std::size_t vertices) {
  std::vector<double> values;
  values.reserve(triangles.size() * 3);
  for (const Triangle& t : triangles) values.insert(values.end(), t.begin(), t.end());
  AccessorShape shape;
  constexpr std::size_t restart = 0xffff;
  shape.component = vertices <= restart ? ComponentType::u16 : ComponentType::u32;
  shape.count = values.size();
  return gltf::append_values(document, values, shape, ViewTarget::indices, false);
}

/// Joints and weights, four per set, with the number of sets that the widest row needs.
void append_weights(GltfDocument& document, const SkinWeights& weights, std::size_t joints,
                    Json& attributes) {
  const std::size_t count = weights.vertex_count();
  std::size_t widest = 1;
  for (std::size_t v = 0; v < count; ++v) widest = std::max(widest, weights.row(v).size());
  for (std::size_t set = 0; set * set_lanes < widest; ++set) {
    std::vector<double> slots(count * set_lanes, 0.0), values(count * set_lanes, 0.0);
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t k = 0; k < set_lanes && set * set_lanes + k < weights.row(v).size(); ++k) {
        const Influence entry = weights.row(v)[set * set_lanes + k];
        if (!(entry.weight > 0.0f)) continue;
        slots[v * set_lanes + k] = entry.joint;
        values[v * set_lanes + k] = static_cast<double>(entry.weight);
      }
    AccessorShape shape;
    shape.columns = set_lanes;
    shape.count = count;
    shape.component = joints <= 256 ? ComponentType::u8 : ComponentType::u16;
    const std::string number = std::to_string(set);
    attributes["JOINTS_" + number] =
        gltf::append_values(document, slots, shape, ViewTarget::vertices, false);
    shape.component = ComponentType::f32;
    attributes["WEIGHTS_" + number] =
        gltf::append_values(document, values, shape, ViewTarget::vertices, false);
  }
}

Json attributes_json(const Mesh& mesh, std::size_t joints, GltfDocument& document) {
  Json out = {{"POSITION", append_rows(document, mesh.positions, true)}};
  if (!mesh.normals.empty()) out["NORMAL"] = append_rows(document, mesh.normals, false);
  if (!mesh.tangents.empty()) out["TANGENT"] = append_rows(document, mesh.tangents, false);
  for (std::size_t set = 0; set < mesh.uvs.size(); ++set)
    out["TEXCOORD_" + std::to_string(set)] = append_rows(document, mesh.uvs[set], false);
  if (!mesh.colors.empty()) out["COLOR_0"] = append_rows(document, mesh.colors, false);
  if (!mesh.weights.empty()) append_weights(document, mesh.weights, joints, out);
  return out;
}

Json mesh_json(const Mesh& mesh, std::size_t joints, GltfDocument& document) {
  const Json attributes = attributes_json(mesh, joints, document);
  Json targets = Json::array(), names = Json::array();
  for (const Morph& morph : mesh.morphs) {
    Json target = {{"POSITION", append_rows(document, morph.positions, true)}};
    if (!morph.normals.empty()) target["NORMAL"] = append_rows(document, morph.normals, false);
    targets.push_back(std::move(target));
    names.push_back(morph.name);
  }
  Json primitives = Json::array();
  for (const Submesh& primitive : mesh.primitives) {
    Json json = {
        {"attributes", attributes},
        {"indices", append_triangles(document, primitive.triangles, mesh.positions.size())}};
    if (primitive.material >= 0) json["material"] = primitive.material;
    if (!targets.empty()) json["targets"] = targets;
    primitives.push_back(std::move(json));
  }
  if (primitives.empty()) primitives.push_back({{"attributes", attributes}, {"mode", 0}});
  Json out = {{"name", mesh.name}, {"primitives", std::move(primitives)}};
  if (targets.empty()) return out;
  out["weights"] = std::vector<double>(mesh.morphs.size(), 0.0);
  out["extras"] = {{"targetNames", std::move(names)}};
  return out;
}

}  // namespace

void write_meshes(const NodeScene& scene, GltfDocument& document) {
  // Joint count of the largest skin used with each mesh.
  std::vector<std::size_t> joints(scene.meshes.size(), 0);
  for (const Node& node : scene.nodes)
    if (node.mesh >= 0 && node.skin >= 0) {
      auto& most = joints[node.mesh];
      most = std::max(most, scene.skins[node.skin].joints.size());
    }
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    Json json = mesh_json(scene.meshes[m], joints[m], document);
    list_to_grow(document.json, "meshes").push_back(std::move(json));
  }
}

void write_skins(const NodeScene& scene, GltfDocument& document) {
  for (const Skin& skin : scene.skins) {
    std::vector<double> values;
    for (const Eigen::Affine3d& bind : skin.inverse_binds) {
      Eigen::Matrix4d m = bind.matrix();
      m.row(3) << 0.0, 0.0, 0.0, 1.0;
      values.insert(values.end(), m.data(), m.data() + 16);
    }
    if (skin.joints.size() > max_joints)
      throw Error(ErrorKind::output, "skin '" + skin.name + "': " + grouped(skin.joints.size()) +
                                         " joints are more than a glTF skin can hold (" +
                                         grouped(max_joints) + ")");
    AccessorShape shape;
    shape.columns = 16;
    shape.count = skin.inverse_binds.size();
    const std::size_t binds = gltf::append_values(document, values, shape, ViewTarget::none, false);
    list_to_grow(document.json, "skins")
        .push_back({{"name", skin.name}, {"inverseBindMatrices", binds}, {"joints", skin.joints}});
  }
}

}  // namespace gvbind
