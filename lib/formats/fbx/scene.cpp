#include <algorithm>
#include <cmath>
#include <set>

#include "formats/fbx/geometry.h"
#include "formats/fbx/skeleton.h"
#include "formats/fbx/skin.h"
#include "gvbind/base/parallel.h"
#include "io/read_options.h"

namespace gvbind {
namespace {

Eigen::Vector3d axis_of(const FbxNode& settings, const std::string& name, int missing) {
  const int axis = integer_property(settings, nullptr, name + "Axis", missing);
  const double sign = number_property(settings, nullptr, name + "AxisSign", 1.0);
  if (axis < 0 || axis > 2) return Eigen::Vector3d::Unit(missing);
  return Eigen::Vector3d::Unit(axis) * (sign < 0.0 ? -1.0 : 1.0);
}

Units read_units(const FbxNode& root) {
  Units units;
  const FbxNode* settings = find_child(root, "GlobalSettings");
  const FbxNode none;
  if (!settings) settings = &none;
  const double centimeters = number_property(*settings, nullptr, "UnitScaleFactor", 1.0);
  units.meters = std::isfinite(centimeters) && centimeters > 0.0 ? centimeters / 100.0 : 0.01;
  units.up = axis_of(*settings, "Up", 1);
  units.front = axis_of(*settings, "Front", 2);
  return units;
}

std::optional<Eigen::Vector4f> color_of(const FbxObjects& objects, std::int64_t model) {
  const auto materials = objects.children_of(model, "Material");
  if (materials.empty()) return std::nullopt;
  const FbxNode* diffuse = find_property(objects.node(*materials[0]), nullptr, "DiffuseColor");
  if (!diffuse || diffuse->properties.size() < 7) return std::nullopt;
  Eigen::Vector4f out(1.0f, 1.0f, 1.0f, 1.0f);
  for (std::size_t k = 0; k < 3; ++k)
    out[static_cast<Eigen::Index>(k)] =
        static_cast<float>(number_of(diffuse->properties[4 + k]).value_or(1.0));
  out[3] = static_cast<float>(
      1.0 - number_property(objects.node(*materials[0]), nullptr, "TransparencyFactor", 0.0));
  return out;
}

/// The unpacked size of the node's arrays; 0 for arrays that are not compressed.
std::uint64_t unpacked_bytes(const FbxNode* node) {
  std::uint64_t bytes = 0;
  if (node)
    for (const FbxProperty& property : node->properties) bytes += unpacked_bytes(property);
  return bytes;
}

/// The number of values that the node claims to have; for text, an upper bound.
std::uint64_t value_count(const FbxNode* node) {
  std::uint64_t count = 0;
  if (node)
    for (const FbxProperty& property : node->properties)
      count += property.type == 'a' ? property.data.size() / 2 + 1
               : is_array(property) ? array_count(property)
                                    : 1;
  return count;
}

/// A few bytes can unpack to a thousand times their number, and any number of Models can show the
/// same geometry.
void check_memory(const FbxObjects& objects, const SceneParts& parts, std::uint64_t max_memory) {
  MemoryBudget budget(max_memory);
  std::unordered_set<std::int64_t> unpacked;
  for (const FbxObject& model : objects.all) {
    const FbxObject* geometry =
        objects.is(model, "Model") ? objects.mesh_geometry(model.id) : nullptr;
    if (!geometry) continue;
    const FbxNode& node = objects.node(*geometry);
    const FbxNode* corners = find_child(node, "PolygonVertexIndex");
    budget.add_mesh(value_count(find_child(node, "Vertices")) / 3, value_count(corners) / 3);
    if (!unpacked.insert(geometry->id).second) continue;
    for (const FbxNode& part : node.children) {
      const bool layer = part.name == "LayerElementNormal" || part.name == "LayerElementUV";
      if (part.name == "LayerElementMaterial")
        budget.add_unpacked(unpacked_bytes(find_child(part, "Materials")));
      if (part.name == "Vertices" || part.name == "PolygonVertexIndex")
        budget.add_unpacked(unpacked_bytes(&part));
      else if (layer && parts.attributes)
        for (const FbxNode& values : part.children) budget.add_unpacked(unpacked_bytes(&values));
    }
    for (const std::int64_t skin : skins_of_geometry(objects, geometry->id))
      for (const FbxObject* cluster : objects.children_of(skin, "Deformer", "Cluster"))
        for (const char* values : {"Indexes", "Weights"})
          budget.add_unpacked(unpacked_bytes(find_child(objects.node(*cluster), values)));
  }
}

struct SceneReader {
  const FbxObjects& objects;
  const FbxBinding& binding;
  const SceneParts& parts;
  Findings& findings;
  std::unordered_map<std::int64_t, FbxSkin> skins = {};  ///< by geometry, those read so far

  SceneJoint joint(std::int64_t id) const {
    SceneJoint out;
    out.name = objects.find(id)->name;
    out.parent = joint_above(binding, id);
    out.bind = binding.joint_bind.at(id);
    out.deforms = binding.clustered.empty() || binding.clustered.contains(id);
    out.node = id;
    if (!out.bind.matrix().allFinite())
      throw Error(ErrorKind::input, "joint '" + out.name + "': its transform is not finite");
    return out;
  }

  const FbxSkin& skin_of(const FbxObject& geometry, std::size_t vertex_count) {
    auto found = skins.find(geometry.id);
    if (found == skins.end())
      found =
          skins.emplace(geometry.id, read_skin(objects, geometry.id, vertex_count, findings)).first;
    return found->second;
  }

  void read_old_skin(const FbxObject& geometry, SceneMesh& mesh) {
    const FbxSkin& skin = skin_of(geometry, mesh.positions.size());
    if (skin.clusters.empty()) return;
    std::unordered_set<int> linked;
    std::size_t apart = 0;
    const Eigen::Affine3d bind = model_bind(objects, binding, mesh.node);
    const double size = bind.matrix().cwiseAbs().maxCoeff();
    for (const FbxCluster& cluster : skin.clusters) {
      const int joint = binding.joint_of.at(cluster.joint);
      if (linked.insert(joint).second) mesh.skin_joints.push_back(joint);
      if (!cluster.mesh_in_joint || !cluster.joint_bind) continue;
      const Eigen::Affine3d other = *cluster.joint_bind * *cluster.mesh_in_joint;
      if ((other.matrix() - bind.matrix()).cwiseAbs().maxCoeff() > 1e-3 * size) ++apart;
    }
    if (apart > 0)
      findings.push_back(
          {Severity::warning, "clusters-disagree",
           "mesh '" + mesh.name + "': " + std::to_string(apart) + " of " +
               std::to_string(skin.clusters.size()) +
               " clusters disagree with the first about its position; the first is used",
           mesh.name});
    mesh.damaged_weights = skin.dropped;
    if (!parts.weights) return;
    mesh.weights = weight_rows(skin, binding.joint_of, mesh.positions.size());
    std::set<std::uint32_t> damaged;
    for (const FbxCluster& cluster : skin.clusters)
      damaged.insert(cluster.damaged.begin(), cluster.damaged.end());
    mesh.damaged_vertices.assign(damaged.begin(), damaged.end());
  }

  /// A skin needs no attributes, so damaged ones are no reason to refuse the mesh.
  void read_attributes_if_sound(const FbxNode& geometry, const FbxPolygons& polygons,
                                SceneMesh& mesh) {
    try {
      read_attributes(geometry, polygons, mesh);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      mesh.normals.clear();
      mesh.texture_coordinates.clear();
      findings.push_back({Severity::warning, "attributes-damaged",
                          "mesh '" + mesh.name +
                              "': its normals and texture coordinates are left "
                              "out: " +
                              error.what(),
                          mesh.name});
    }
  }

  SceneMesh mesh(const FbxObject& model, const FbxObject& geometry) {
    SceneMesh out;
    const FbxNode& node = objects.node(geometry);
    out.name = model.name;
    out.node = model.id;
    try {
      FbxPolygons polygons;
      parallel_each(2, [&](std::size_t part) {
        if (part == 0)
          out.positions = read_control_points(node);
        else
          polygons = read_polygons(node);
      });
      check_corners(polygons, out.positions.size());
      out.triangles = triangulate(polygons, out.positions);
      out.to_bind = model_bind(objects, binding, model.id) *
                    geometric_transform(objects.node(model), objects.model_template);
      if (!out.to_bind.matrix().allFinite())
        throw Error(ErrorKind::input, "its transform is not finite");
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        out.positions[v] = out.to_bind * out.positions[v];
        if (!out.positions[v].allFinite())
          throw Error(ErrorKind::input, "vertex " + std::to_string(v) + " is at no finite place");
      }
      out.triangle_materials =
          triangle_materials(node, polygons, objects.children_of(model.id, "Material").size());
      if (parts.attributes) read_attributes_if_sound(node, polygons, out);
      read_old_skin(geometry, out);
    } catch (const Error& error) {
      throw Error(error.kind(), "mesh '" + model.name + "': " + error.what());
    }
    if (out.to_bind.linear().determinant() < 0.0)
      for (Triangle& triangle : out.triangles) std::swap(triangle[1], triangle[2]);
    if (const std::size_t further = objects.further_geometries(model.id))
      findings.push_back({Severity::warning, "geometries-left",
                          "mesh '" + model.name + "' has " + std::to_string(further) +
                              (further == 1 ? " further geometry, which is left as it is"
                                            : " further geometries, which are left as they are"),
                          model.name});
    if (out.skin_joints.empty()) out.attached_to = joint_above(binding, model.id);
    out.color = color_of(objects, model.id);
    for (const FbxObject* material : objects.children_of(model.id, "Material"))
      out.materials.push_back(material->name);
    return out;
  }
};

/// A Root above other joints is the handle of the whole skeleton (3ds Max's Bip01, at the place of
/// the pelvis). Artists give it no weight. In Blender it becomes the armature itself, which would
/// lose its weights.
void exclude_root_joints(const FbxObjects& objects, Scene& scene, Findings& findings) {
  std::vector<bool> has_child(scene.joints.size(), false);
  for (const SceneJoint& joint : scene.joints)
    if (joint.parent >= 0) has_child[joint.parent] = true;
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    SceneJoint& joint = scene.joints[j];
    if (!has_child[j] || objects.find(joint.node)->type != "Root") continue;
    joint.deforms = false;
    findings.push_back({Severity::note, "root-spared",
                        "joint '" + joint.name + "' is of type Root and gets no weight",
                        joint.name});
  }
}

/// Clusters belong to a geometry, so all Models that show it share its weights: the first one is
/// bound, and the others follow.
void deselect_instances(const FbxObjects& objects, Scene& scene, Findings& findings) {
  std::unordered_map<std::int64_t, std::string> shown;
  for (SceneMesh& mesh : scene.meshes) {
    const std::int64_t geometry = objects.mesh_geometry(mesh.node)->id;
    const auto [first, is_new] = shown.emplace(geometry, mesh.name);
    if (is_new || !mesh.selected) continue;
    mesh.selected = false;
    findings.push_back({Severity::warning, "shared-geometry",
                        "mesh '" + mesh.name + "' shows the geometry of '" + first->second +
                            "' and shares its weights",
                        mesh.name});
  }
}

}  // namespace

Scene scene_of(const FbxDocument& document, const Selection&, Findings& findings,
               const SceneParts& parts) {
  return with_path(document.path, [&] {
    const FbxObjects objects = objects_of(document);
    check_memory(objects, parts, document.max_memory);
    const FbxBinding binding = read_binding(objects, findings);
    SceneReader reader{objects, binding, parts, findings};
    Scene scene;
    scene.units = read_units(document.root);
    for (const std::int64_t id : binding.joints) scene.joints.push_back(reader.joint(id));
    if (binding.clustered.empty()) exclude_root_joints(objects, scene, findings);
    for (const FbxObject& model : objects.all) {
      const FbxObject* geometry =
          objects.is(model, "Model") ? objects.mesh_geometry(model.id) : nullptr;
      if (geometry) scene.meshes.push_back(reader.mesh(model, *geometry));
    }
    deselect_instances(objects, scene, findings);
    return scene;
  });
}

}  // namespace gvbind
