// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <map>
#include <set>

#include "formats/fbx/skin.h"
#include "formats/fbx/write_target.h"

namespace gvbind {
namespace {

FbxNode version_node(std::int32_t version) { return make_node("Version", {make_integer(version)}); }

/// The polygons of all primitives, one after the other.
struct Polygons {
  std::vector<std::int32_t> ends;      ///< vertices, with the last of each polygon complemented
  std::vector<std::int32_t> vertices;  ///< the same, without complement
  std::vector<std::int32_t> slots;     ///< by polygon: index of the material among the Model's
};

Polygons polygons_of(const Mesh& mesh) {
  Polygons out;
  std::int32_t slot = 0;
  for (const Submesh& primitive : mesh.primitives) {
    for (const Triangle& triangle : primitive.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const auto vertex = static_cast<std::int32_t>(triangle[k]);
        out.vertices.push_back(vertex);
        out.ends.push_back(k == 2 ? ~vertex : vertex);
      }
      out.slots.push_back(slot);
    }
    ++slot;
  }
  return out;
}

template <typename Vector>
std::vector<Eigen::Vector3d> in_double(const std::vector<Vector>& vectors, double factor) {
  std::vector<Eigen::Vector3d> out;
  out.reserve(vectors.size());
  for (const Vector& v : vectors)
    out.push_back(factor * v.template head<3>().template cast<double>());
  return out;
}

/// On the side that the tangent's sign gives.
std::vector<Eigen::Vector3d> binormals_of(const Mesh& mesh) {
  std::vector<Eigen::Vector3d> out;
  for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
    const Eigen::Vector3f along = mesh.tangents[v].head<3>();
    out.push_back((mesh.tangents[v].w() * mesh.normals[v].cross(along)).cast<double>());
  }
  return out;
}

FbxNode uv_layer(const Mesh& mesh, std::size_t set, const Polygons& polygons) {
  std::vector<Eigen::Vector2d> uvs;
  for (const Eigen::Vector2f& uv : mesh.uvs[set])
    uvs.push_back({static_cast<double>(uv.x()), 1.0 - static_cast<double>(uv.y())});
  FbxNode out = layer_element("LayerElementUV", "ByPolygonVertex", "IndexToDirect",
                              static_cast<std::int32_t>(set));
  find_child(out, "Name")->properties = {make_text("map" + std::to_string(set + 1))};
  append_child(out, vectors_node("UV", uvs));
  append_child(out, make_node("UVIndex", {make_array(polygons.vertices)}));
  return out;
}

FbxNode material_layer(const Mesh& mesh, const Polygons& polygons) {
  const bool one = mesh.primitives.size() < 2;
  FbxNode out =
      layer_element("LayerElementMaterial", one ? "AllSame" : "ByPolygon", "IndexToDirect");
  append_child(out, make_node("Materials",
                              {make_array(one ? std::vector<std::int32_t>{0} : polygons.slots)}));
  return out;
}

/// Adds the layers for the elements: one for each set of texture coordinates.
void add_layers(std::vector<FbxNode>& nodes) {
  std::map<std::int64_t, FbxNode> layers;
  for (const FbxNode& node : nodes) {
    if (!node.name.starts_with("LayerElement")) continue;
    const std::int64_t number = integer_of(node.properties[0]).value_or(0);
    const auto index = static_cast<std::int32_t>(number);
    auto [layer, is_new] =
        layers.emplace(number, make_node("Layer", {make_integer(index)}, {version_node(100)}));
    append_child(layer->second, make_node("LayerElement", {},
                                          {make_node("Type", {make_text(node.name)}),
                                           make_node("TypedIndex", {make_integer(index)})}));
  }
  for (auto& [number, layer] : layers) nodes.push_back(std::move(layer));
}

std::vector<FbxNode> geometry_nodes(const Mesh& mesh) {
  const Polygons polygons = polygons_of(mesh);
  std::vector<FbxNode> out = {make_node("GeometryVersion", {make_integer(124)}),
                              vectors_node("Vertices", in_double(mesh.positions, fbx_unit)),
                              make_node("PolygonVertexIndex", {make_array(polygons.ends)})};
  const auto add = [&](const char* element, const char* values,
                       const std::vector<Eigen::Vector3d>& v) {
    out.push_back(layer_element(element, "ByVertice", "Direct"));
    append_child(out.back(), vectors_node(values, v));
  };
  if (!mesh.normals.empty()) add("LayerElementNormal", "Normals", in_double(mesh.normals, 1.0));
  if (!mesh.tangents.empty() && !mesh.normals.empty()) {
    add("LayerElementBinormal", "Binormals", binormals_of(mesh));
    add("LayerElementTangent", "Tangents", in_double(mesh.tangents, 1.0));
  }
  if (!mesh.colors.empty()) {
    out.push_back(layer_element("LayerElementColor", "ByPolygonVertex", "IndexToDirect"));
    append_child(out.back(), vectors_node("Colors", mesh.colors));
    append_child(out.back(), make_node("ColorIndex", {make_array(polygons.vertices)}));
  }
  for (std::size_t set = 0; set < mesh.uvs.size(); ++set)
    out.push_back(uv_layer(mesh, set, polygons));
  out.push_back(material_layer(mesh, polygons));
  add_layers(out);
  return out;
}

/// The vertices that one joint moves, with their weights.
struct Cluster {
  std::vector<std::int32_t> vertices;
  std::vector<double> weights;
};

std::vector<Cluster> clusters_of(const Mesh& mesh, std::size_t joints) {
  std::vector<Cluster> out(joints);
  for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v)
    for (const Influence& entry : mesh.weights.row(v)) {
      if (entry.joint >= joints || !(entry.weight > 0.0f)) continue;
      out[entry.joint].vertices.push_back(static_cast<std::int32_t>(v));
      out[entry.joint].weights.push_back(static_cast<double>(entry.weight));
    }
  return out;
}

/// The place of the node above the skeleton, which is Blender's armature. If the clusters lack it,
/// Blender uses that node's place relative to its parent.
Eigen::Affine3d armature_matrix(const NodeScene& scene, const Skin& skin) {
  int node = skin.joints.empty() ? -1 : skin.joints[0];
  while (node >= 0 && scene.nodes[node].is_joint) node = scene.nodes[node].parent;
  return node < 0 ? Eigen::Affine3d::Identity() : world_matrices(scene)[node];
}

void add_skin(FbxTarget& target, const Skin& skin, const Mesh& mesh, std::int64_t geometry) {
  const std::int64_t deformer = target.editor.new_id();
  target.editor.add_object(
      "Deformer", deformer, skin.name, "Deformer", "Skin",
      {version_node(101), make_node("Link_DeformAcuracy", {make_number(50.0)})});
  target.editor.connect(deformer, geometry);
  const std::vector<Cluster> clusters = clusters_of(mesh, skin.joints.size());
  const Eigen::Affine3d armature = armature_matrix(target.scene, skin);
  for (std::size_t j = 0; j < clusters.size(); ++j) {
    const auto node = static_cast<std::size_t>(skin.joints[j]);
    std::vector<FbxNode> children = {version_node(100),
                                     make_node("UserData", {make_text(""), make_text("")})};
    if (!clusters[j].vertices.empty()) {
      children.push_back(make_node("Indexes", {make_array(clusters[j].vertices)}));
      children.push_back(make_node("Weights", {make_array(clusters[j].weights)}));
    }
    children.push_back(
        make_node("Transform", {make_array(matrix_values(in_fbx_units(skin.inverse_binds[j])))}));
    children.push_back(
        make_node("TransformLink", {make_array(matrix_values(in_fbx_units(skin.joint_binds[j])))}));
    children.push_back(
        make_node("TransformAssociateModel", {make_array(matrix_values(in_fbx_units(armature)))}));
    const std::int64_t id = target.editor.new_id();
    target.editor.add_object("Deformer", id, target.scene.nodes[node].name, "SubDeformer",
                             "Cluster", std::move(children));
    target.editor.connect(id, deformer);
    target.editor.connect(target.models[node], id);
  }
}

std::vector<FbxNode> shape_nodes(const Morph& morph) {
  std::vector<std::int32_t> indices;
  std::vector<Eigen::Vector3d> offsets, normals;
  for (std::size_t v = 0; v < morph.positions.size(); ++v) {
    const bool turns = !morph.normals.empty() && !morph.normals[v].isZero(0);
    // Blender cannot read a shape without vertices.
    if (morph.positions[v].isZero(0) && !turns && v > 0) continue;
    indices.push_back(static_cast<std::int32_t>(v));
    offsets.push_back(fbx_unit * morph.positions[v].cast<double>());
    normals.push_back(morph.normals.empty() ? Eigen::Vector3d(0, 0, 0)
                                            : Eigen::Vector3d(morph.normals[v].cast<double>()));
  }
  // Assimp ignores shapes without normals.
  return {version_node(100), make_node("Indexes", {make_array(indices)}),
          vectors_node("Vertices", offsets), vectors_node("Normals", normals)};
}

void add_morphs(FbxTarget& target, const Mesh& mesh, std::size_t node, std::int64_t geometry) {
  if (mesh.morphs.empty()) return;
  const std::int64_t deformer = target.editor.new_id();
  target.editor.add_object("Deformer", deformer, mesh.name, "Deformer", "BlendShape",
                           {version_node(100)});
  target.editor.connect(deformer, geometry);
  const std::vector<double>& weights = target.scene.nodes[node].morph_weights;
  for (std::size_t m = 0; m < mesh.morphs.size(); ++m) {
    const std::int64_t channel = target.editor.new_id(), shape = target.editor.new_id();
    const double percent = m < weights.size() ? 100.0 * weights[m] : 0.0;
    FbxNode properties =
        make_node("Properties70", {},
                  {property_entry("DeformPercent", "Number", "", "A", {make_number(percent)})});
    target.editor.add_object("Deformer", channel, mesh.morphs[m].name, "SubDeformer",
                             "BlendShapeChannel",
                             {version_node(100), make_node("DeformPercent", {make_number(percent)}),
                              make_node("FullWeights", {make_array(std::vector<double>{100.0})}),
                              std::move(properties)});
    target.editor.add_object("Geometry", shape, mesh.morphs[m].name, "Geometry", "Shape",
                             shape_nodes(mesh.morphs[m]));
    target.editor.connect(channel, deformer);
    target.editor.connect(shape, channel);
    target.morph_channels[node].push_back(channel);
  }
}

/// In the order of the primitives, whose index is the slot. A mesh with some parts without material
/// gets a default one for them.
void connect_materials(FbxTarget& target, const Mesh& mesh, std::int64_t model,
                       std::int64_t& plain) {
  const bool none =
      std::ranges::all_of(mesh.primitives, [](const Submesh& p) { return p.material < 0; });
  if (none) return;
  for (const Submesh& primitive : mesh.primitives) {
    if (primitive.material < 0 && plain == 0) {
      plain = target.editor.new_id();
      target.editor.add_object(
          "Material", plain, "default", "Material", "",
          {version_node(102), make_node("ShadingModel", {make_text("phong")}),
           make_node("MultiLayer", {make_integer(0)}), make_node("Properties70", {})});
    }
    target.editor.connect(primitive.material < 0 ? plain : target.materials[primitive.material],
                          model);
  }
}

struct PoseEntries {
  std::set<std::int64_t> known = {};
  std::vector<FbxNode> nodes = {};

  void add(std::int64_t model, const Eigen::Affine3d& place) {
    if (!place.matrix().allFinite() || !known.insert(model).second) return;
    nodes.push_back(
        make_node("PoseNode", {},
                  {make_node("Node", {make_long(model)}),
                   make_node("Matrix", {make_array(matrix_values(in_fbx_units(place)))})}));
  }
};

/// Skinned meshes and their joints at bind, and their ancestors in the node pose.
void add_bind_pose(FbxTarget& target) {
  const NodeScene& scene = target.scene;
  PoseEntries pose;
  const std::vector<Eigen::Affine3d> world = world_matrices(scene);
  std::vector<bool> above(scene.nodes.size(), false);
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].skin < 0 || target.mesh_models[i] == 0) continue;
    const Skin& skin = scene.skins[scene.nodes[i].skin];
    if (!skin.joints.empty())
      pose.add(target.mesh_models[i], skin.joint_binds[0] * skin.inverse_binds[0]);
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      pose.add(target.models[skin.joints[j]], skin.joint_binds[j]);
      above[skin.joints[j]] = true;
    }
    above[i] = true;
  }
  if (pose.nodes.empty()) return;
  for (std::size_t i = scene.nodes.size(); i-- > 0;)
    if (above[i] && scene.nodes[i].parent >= 0) above[scene.nodes[i].parent] = true;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    if (above[i]) pose.add(target.models[i], world[i]);
  std::vector<FbxNode> children = {
      make_node("Type", {make_text("BindPose")}), version_node(100),
      make_node("NbPoseNodes", {make_integer(static_cast<std::int32_t>(pose.nodes.size()))})};
  std::ranges::move(pose.nodes, std::back_inserter(children));
  target.editor.add_object("Pose", target.editor.new_id(), "BindPose", "Pose", "BindPose",
                           std::move(children));
}

}  // namespace

void write_fbx_meshes(FbxTarget& target) {
  const NodeScene& scene = target.scene;
  target.morph_channels.resize(scene.nodes.size());
  std::map<int, std::int64_t> shared;  // geometries by mesh, for meshes without deformers
  std::int64_t plain = 0;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const Node& node = scene.nodes[i];
    if (node.mesh < 0) continue;
    const Mesh& mesh = scene.meshes[node.mesh];
    connect_materials(target, mesh, target.mesh_models[i], plain);
    const bool deformed = node.skin >= 0 || !mesh.morphs.empty();
    std::int64_t geometry = 0;
    if (const auto known = shared.find(node.mesh); known != shared.end() && !deformed) {
      geometry = known->second;
    } else {
      geometry = target.editor.new_id();
      target.editor.add_object("Geometry", geometry, mesh.name, "Geometry", "Mesh",
                               geometry_nodes(mesh));
      if (!deformed) shared.emplace(node.mesh, geometry);
      if (node.skin >= 0) add_skin(target, scene.skins[node.skin], mesh, geometry);
      add_morphs(target, mesh, i, geometry);
    }
    target.editor.connect(geometry, target.mesh_models[i]);
  }
  add_bind_pose(target);
}

}  // namespace gvbind
