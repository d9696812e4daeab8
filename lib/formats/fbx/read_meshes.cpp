// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <cmath>
#include <map>

#include "formats/fbx/geometry.h"
#include "formats/fbx/layer.h"
#include "formats/fbx/read_source.h"
#include "formats/fbx/skin.h"
#include "formats/fbx/split_vertices.h"
#include "formats/fbx/uv_sets.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr double same_direction = 1e-4, same_uv = 1e-6, same_color = 1e-4;

/// A geometry's own arrays, before vertices are split.
struct FbxShape {
  std::vector<Eigen::Vector3d> points;
  FbxPolygons polygons;
  std::vector<CornerValues> attributes;
  int normals = -1, tangents = -1, colors = -1;  ///< into `attributes`
  std::vector<int> uvs;
  std::vector<std::string> uv_names;
};

CornerValues corner_values(const FbxLayer& layer, const FbxPolygons& polygons, std::size_t stored,
                           std::size_t columns, double tolerance) {
  CornerValues out;
  out.columns = columns;
  out.tolerance = tolerance;
  out.values.assign(polygons.corners.size() * columns, 0.0f);
  for (std::size_t p = 0; p + 1 < polygons.first.size(); ++p)
    for (std::size_t c = polygons.first[p]; c < polygons.first[p + 1]; ++c) {
      const std::size_t at = stored * layer.element(c, polygons.corners[c], p);
      for (std::size_t k = 0; k < stored && at + stored <= layer.values.size(); ++k) {
        const auto value = static_cast<float>(layer.values[at + k]);
        out.values[c * columns + k] = std::isfinite(value) ? value : 0.0f;
      }
    }
  return out;
}

int take_layer(const FbxLayer& layer, FbxShape& shape, std::size_t stored, std::size_t columns,
               double tolerance) {
  if (!layer.node || layer.values.empty()) return -1;
  shape.attributes.push_back(corner_values(layer, shape.polygons, stored, columns, tolerance));
  return static_cast<int>(shape.attributes.size()) - 1;
}

Eigen::Map<Eigen::Vector3f> direction_at(CornerValues& values, std::size_t corner) {
  return Eigen::Map<Eigen::Vector3f>(values.values.data() + corner * values.columns);
}

/// Empty, and counted, if its arrays are damaged.
FbxLayer sound_layer(const FbxSource& source, const FbxNode* layer, std::string_view values,
                     std::string_view indices) {
  try {
    return layer ? read_layer(*layer, values, indices) : FbxLayer();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    source.losses.add("damaged layer of a mesh", "damaged layers of meshes");
    return {};
  }
}

/// Adds the side of the bitangent as a fourth column.
void take_tangents(const FbxSource& source, const FbxNode& geometry, FbxShape& shape) {
  shape.tangents = take_layer(
      sound_layer(source, find_child(geometry, "LayerElementTangent"), "Tangents", "TangentsIndex"),
      shape, 3, 4, same_direction);
  if (shape.tangents < 0 || shape.normals < 0) {
    if (shape.tangents >= 0) shape.attributes.pop_back();
    shape.tangents = -1;
    return;
  }
  const FbxLayer layer = sound_layer(source, find_child(geometry, "LayerElementBinormal"),
                                     "Binormals", "BinormalsIndex");
  CornerValues sides =
      layer.node ? corner_values(layer, shape.polygons, 3, 3, 0.0) : CornerValues();
  CornerValues& tangents = shape.attributes[shape.tangents];
  CornerValues& normals = shape.attributes[shape.normals];
  for (std::size_t c = 0; c < shape.polygons.corners.size(); ++c) {
    const Eigen::Vector3f n = direction_at(normals, c), t = direction_at(tangents, c);
    const bool flipped = layer.node && n.cross(t).dot(direction_at(sides, c)) < 0.0f;
    // In both formats the bitangent points up in the picture.
    tangents.values[4 * c + 3] = flipped ? -1.0f : 1.0f;
  }
}

std::size_t lines_of(const FbxPolygons& polygons) {
  std::size_t out = 0;
  for (std::size_t p = 0; p + 1 < polygons.first.size(); ++p)
    out += polygons.first[p + 1] - polygons.first[p] < 3;
  return out;
}

FbxShape read_shape(const FbxSource& source, const FbxNode& geometry) {
  FbxShape shape;
  shape.points = read_control_points(geometry);
  shape.polygons = read_polygons(geometry);
  check_corners(shape.polygons, shape.points.size());
  shape.polygons.corners.resize(shape.polygons.first.back());
  shape.normals = take_layer(
      sound_layer(source, find_child(geometry, "LayerElementNormal"), "Normals", "NormalsIndex"),
      shape, 3, 3, same_direction);
  take_tangents(source, geometry, shape);
  shape.colors = take_layer(
      sound_layer(source, find_child(geometry, "LayerElementColor"), "Colors", "ColorIndex"), shape,
      4, 4, same_color);
  std::size_t color_sets = 0;
  for (const FbxNode& part : geometry.children) {
    color_sets += part.name == "LayerElementColor";
    if (part.name != "LayerElementUV") continue;
    const FbxLayer layer = sound_layer(source, &part, "UV", "UVIndex");
    const int taken = take_layer(layer, shape, 2, 2, same_uv);
    if (taken < 0) continue;
    shape.uvs.push_back(taken);
    shape.uv_names.push_back(layer.name);
  }
  if (color_sets > 1)
    source.losses.add("further set of vertex colors", "further sets of vertex colors",
                      color_sets - 1);
  source.losses.add("point or line", "points and lines", lines_of(shape.polygons));
  return shape;
}

struct MeshReader {
  FbxSource& source;
  NodeScene& scene;
  const std::unordered_map<std::int64_t, int>& materials;
  std::map<std::string, int> mesh_of = {};  ///< by key_of()
  std::map<std::string, int> skin_of = {};

  void add_primitives(const FbxNode& geometry, const FbxShape& shape, const SplitCorners& split,
                      const std::vector<int>& material_of_slot, bool mirrored, Mesh& mesh) const {
    const std::vector<Triangle> corners = triangle_corners(shape.polygons, shape.points);
    const std::vector<int> slots =
        triangle_materials(geometry, shape.polygons, material_of_slot.size());
    std::map<int, Submesh> by_material;
    for (std::size_t t = 0; t < corners.size(); ++t) {
      const int slot = slots.empty() ? 0 : slots[t];
      const bool has = slot >= 0 && static_cast<std::size_t>(slot) < material_of_slot.size();
      const int material = has ? material_of_slot[slot] : -1;
      Triangle triangle = corners[t];
      for (auto& corner : triangle) corner = split.vertex_of_corner[corner];
      if (mirrored) std::swap(triangle[1], triangle[2]);
      Submesh& primitive = by_material[material];
      primitive.triangles.push_back(triangle);
      primitive.scene_triangles.push_back(static_cast<std::uint32_t>(t));
    }
    for (auto& [material, primitive] : by_material) {
      primitive.material = material;
      mesh.primitives.push_back(std::move(primitive));
    }
  }

  /// Normals of a mirrored mesh still point outwards, but bitangents change their side.
  static void add_directions(const FbxShape& shape, const SplitCorners& split,
                             const Eigen::Matrix3d& to_mesh, Mesh& mesh) {
    const Eigen::Matrix3f across = to_mesh.inverse().transpose().cast<float>();
    const Eigen::Matrix3f along = to_mesh.cast<float>();
    const auto unit = [](const Eigen::Vector3f& v, const Eigen::Vector3f& missing) {
      const float length = v.norm();
      return std::isfinite(length) && length > 1e-12f ? Eigen::Vector3f(v / length) : missing;
    };
    for (const std::uint32_t corner : split.corner_of_vertex) {
      if (shape.normals >= 0) {
        const float* n = shape.attributes[shape.normals].values.data();
        mesh.normals.push_back(
            unit(across * Eigen::Vector3f(n + 3 * corner), Eigen::Vector3f::UnitZ()));
      }
      if (shape.tangents >= 0) {
        const float* t = shape.attributes[shape.tangents].values.data();
        const Eigen::Vector3f direction =
            unit(along * Eigen::Vector3f(t + 4 * corner), Eigen::Vector3f::UnitX());
        const float side = t[4 * corner + 3] * (to_mesh.determinant() < 0 ? -1.0f : 1.0f);
        const Eigen::Vector4f tangent(direction.x(), direction.y(), direction.z(), side);
        mesh.tangents.push_back(tangent);
      }
    }
  }

  static void add_colors_and_uvs(const FbxShape& shape, const SplitCorners& split, Mesh& mesh) {
    mesh.uvs.resize(shape.uvs.size());
    mesh.uv_names = shape.uv_names;
    for (const std::uint32_t corner : split.corner_of_vertex) {
      if (shape.colors >= 0) {
        const float* c = shape.attributes[shape.colors].values.data();
        const Eigen::Vector4f color(c + 4 * corner);
        mesh.colors.push_back(color.cwiseMax(0.0f).cwiseMin(1.0f));
      }
      for (std::size_t set = 0; set < shape.uvs.size(); ++set) {
        const float* uv = shape.attributes[shape.uvs[set]].values.data() + 2 * corner;
        mesh.uvs[set].push_back({uv[0], 1.0f - uv[1]});
      }
    }
  }

  void add_weights(const FbxObject& geometry, int node, const SplitCorners& split,
                   std::size_t points, Mesh& mesh) {
    const FbxSkin skin = read_skin(source.objects, geometry.id, points, source.findings);
    if (skin.clusters.empty()) return;
    Skin out;
    std::unordered_map<std::int64_t, int> slot_of;
    const Eigen::Affine3d mesh_bind = bind_of(skin, node);
    for (const FbxCluster& cluster : skin.clusters) {
      const auto [slot, is_new] =
          slot_of.emplace(cluster.joint, static_cast<int>(out.joints.size()));
      if (!is_new) continue;
      out.joints.push_back(source.node_of.at(cluster.joint));
      out.inverse_binds.push_back(inverse_bind(cluster, mesh_bind));
      scene.nodes[out.joints.back()].is_joint = true;
    }
    const SkinWeights rows = weight_rows(skin, slot_of, points);
    const std::uint32_t own = static_cast<std::uint32_t>(out.joints.size());
    bool needs_own = false;
    for (const std::uint32_t point : split.point_of_vertex) {
      double sum = 0;
      for (const Influence& entry : rows.row(point)) sum += static_cast<double>(entry.weight);
      for (const Influence& entry : rows.row(point)) {
        mesh.weights.joint.push_back(entry.joint);
        mesh.weights.weight.push_back(static_cast<float>(static_cast<double>(entry.weight) / sum));
      }
      // Vertices without weights move with the mesh's own node.
      if (rows.row(point).empty() && source.own_joint_for_unweighted) {
        needs_own = true;
        mesh.weights.joint.push_back(own);
        mesh.weights.weight.push_back(1.0f);
      }
      mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
    }
    if (needs_own) {
      out.joints.push_back(node);
      out.inverse_binds.push_back(Eigen::Affine3d::Identity());
    }
    out.name = mesh.name;
    scene.nodes[node].skin = static_cast<int>(scene.skins.size());
    scene.skins.push_back(std::move(out));
  }

  /// The mesh's transform at bind, in the file's units.
  Eigen::Affine3d bind_of(const FbxSkin& skin, int node) const {
    for (const FbxCluster& cluster : skin.clusters)
      if (cluster.mesh_in_joint && cluster.joint_bind)
        return *cluster.joint_bind * *cluster.mesh_in_joint;
    const auto world = world_transforms(source.objects);
    return world.at(source.models[node].object->id);
  }

  Eigen::Affine3d inverse_bind(const FbxCluster& cluster, const Eigen::Affine3d& mesh_bind) const {
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    if (cluster.mesh_in_joint)
      out = *cluster.mesh_in_joint;
    else if (cluster.joint_bind)
      out = cluster.joint_bind->inverse() * mesh_bind;
    if (!out.matrix().allFinite()) out.setIdentity();
    out.translation() *= source.meters;
    return out;
  }

  std::vector<int> materials_of(std::int64_t model) const {
    std::vector<int> out;
    for (const FbxObject* material : source.objects.children_of(model, "Material"))
      out.push_back(materials.at(material->id));
    return out;
  }

  Mesh mesh_of_model(const FbxObject& model, const FbxObject& geometry, int node) {
    const FbxNode& data = source.node(geometry);
    Mesh mesh;
    mesh.name = model.name;
    const FbxShape shape = read_shape(source, data);
    const Eigen::Affine3d to_mesh =
        geometric_transform(source.node(model), source.objects.model_template);
    const SplitCorners split =
        split_vertices(shape.polygons.corners, shape.points.size(), shape.attributes);
    for (const std::uint32_t point : split.point_of_vertex)
      mesh.positions.push_back((source.meters * (to_mesh * shape.points[point])).cast<float>());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      if (!mesh.positions[v].allFinite())
        throw Error(ErrorKind::input, "vertex " + std::to_string(v) + " is at no finite place");
    add_directions(shape, split, to_mesh.linear(), mesh);
    add_colors_and_uvs(shape, split, mesh);
    add_primitives(data, shape, split, materials_of(model.id), to_mesh.linear().determinant() < 0.0,
                   mesh);
    add_fbx_morphs(source, geometry.id, split, shape.points.size(), to_mesh.linear(), mesh);
    add_weights(geometry, node, split, shape.points.size(), mesh);
    return mesh;
  }

  /// Models that show one geometry in the same way share its mesh.
  std::string key_of(const FbxObject& model, std::int64_t geometry) const {
    std::string key = std::to_string(geometry);
    const Eigen::Affine3d place =
        geometric_transform(source.node(model), source.objects.model_template);
    for (Eigen::Index i = 0; i < 16; ++i)
      key.append(1, ' ').append(std::to_string(place.matrix().data()[i]));
    for (const int material : materials_of(model.id))
      key.append(1, ' ').append(std::to_string(material));
    return key;
  }

  /// The skin of a mesh for another node that shows it: the same one, unless some vertices follow
  /// the node.
  int skin_for(int skin, int mesh, int node) {
    if (skin < 0) return skin;
    const int last = scene.skins[skin].joints.back();
    if (scene.nodes[last].mesh != mesh) return skin;
    Skin copy = scene.skins[skin];
    copy.joints.back() = node;
    scene.skins.push_back(std::move(copy));
    return static_cast<int>(scene.skins.size()) - 1;
  }

  void read_model(std::size_t i) {
    const FbxObject& model = *source.models[i].object;
    const FbxObject* geometry = source.objects.mesh_geometry(model.id);
    if (!geometry) return;
    const std::string key = key_of(model, geometry->id);
    const int node = static_cast<int>(i);
    const auto known = mesh_of.find(key);
    if (known == mesh_of.end()) {
      Mesh mesh;
      try {
        mesh = mesh_of_model(model, *geometry, node);
      } catch (const Error& error) {
        throw Error(error.kind(), "mesh '" + model.name + "': " + error.what());
      }
      if (mesh.positions.empty())
        return source.losses.add("mesh without polygons", "meshes without polygons");
      scene.nodes[i].mesh = static_cast<int>(scene.meshes.size());
      scene.meshes.push_back(std::move(mesh));
      mesh_of.emplace(key, scene.nodes[i].mesh);
      skin_of.emplace(key, scene.nodes[i].skin);
    } else {
      scene.nodes[i].mesh = known->second;
      scene.nodes[i].skin = skin_for(skin_of.at(key), known->second, node);
    }
    for (const FbxMorphTarget& target : morph_targets(source, geometry->id))
      scene.nodes[i].morph_weights.push_back(morph_weight(target, target.rest));
  }
};

}  // namespace

void read_fbx_meshes(FbxSource& source, const std::unordered_map<std::int64_t, int>& materials,
                     NodeScene& scene) {
  MeshReader reader{source, scene, materials};
  for (std::size_t i = 0; i < source.models.size(); ++i) reader.read_model(i);
  resolve_uv_names(scene);
  add_missing_uvs(scene);
}

}  // namespace gvbind
