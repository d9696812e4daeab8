#include <algorithm>
#include <cmath>

#include "formats/gltf/append.h"
#include "formats/gltf/scene.h"

namespace gvbind {
namespace gltf {
namespace {

/// From the scene's units and axes to meters, +Y up, +Z front. Joints get no scale: bind matrices
/// are computed anew, so none is needed, and programs whose bones have no scale (Blender) would
/// move the skin.
struct ToMeters {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  double scale = 1.0;

  Eigen::Vector3d point(const Eigen::Vector3d& p) const { return scale * (turn * p); }
  Eigen::Affine3d joint(const Eigen::Affine3d& bind) const {
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    out.linear() =
        turn * (bind.linear().allFinite() ? bind.rotation() : Eigen::Matrix3d::Identity());
    out.translation() = point(bind.translation());
    return out;
  }
};

ToMeters to_meters(const Units& units) {
  ToMeters out;
  if (!units.known) return out;
  out.scale = units.meters;
  const Eigen::Vector3d side = units.up.cross(units.front);
  out.turn.row(0) = side.normalized();
  out.turn.row(1) = units.up.normalized();
  out.turn.row(2) = side.cross(units.up).normalized();
  if (!out.turn.allFinite() || side.isZero(1e-9)) out.turn = Eigen::Matrix3d::Identity();
  return out;
}

std::size_t append_vectors(GltfDocument& document, const std::vector<double>& values,
                           std::size_t columns, bool with_bounds) {
  AccessorShape shape;
  shape.columns = columns;
  shape.count = values.size() / columns;
  return append_values(document, values, shape, ViewTarget::vertices, with_bounds);
}

std::size_t append_normals(GltfDocument& document, const std::vector<Eigen::Vector3f>& normals,
                           const ToMeters& to) {
  std::vector<double> values;
  for (const Eigen::Vector3f& normal : normals) {
    const Eigen::Vector3d n = to.turn * normal.cast<double>();
    // glTF requires unit normals; the source may have others.
    const Eigen::Vector3d unit =
        n.allFinite() && n.norm() > 1e-12 ? n.normalized() : Eigen::Vector3d::UnitY();
    values.insert(values.end(), unit.data(), unit.data() + 3);
  }
  return append_vectors(document, values, 3, false);
}

std::size_t append_indices(GltfDocument& document, const SceneMesh& mesh) {
  std::vector<double> values;
  for (const Triangle& t : mesh.triangles) values.insert(values.end(), t.begin(), t.end());
  AccessorShape shape;
  constexpr std::size_t restart = 0xffff;
  shape.component = mesh.positions.size() <= restart ? ComponentType::u16 : ComponentType::u32;
  shape.count = values.size();
  return append_values(document, values, shape, ViewTarget::indices, false);
}

std::size_t material_of(Json& root, const Eigen::Vector4f& color) {
  Json factor = Json::array();
  for (const float c : color.cwiseMax(0.0f).cwiseMin(1.0f)) factor.push_back(c);
  Json material = {
      {"pbrMetallicRoughness",
       {{"baseColorFactor", factor}, {"metallicFactor", 0.0}, {"roughnessFactor", 1.0}}}};
  if (color.w() < 1) material["alphaMode"] = "BLEND";
  Json& materials = list_to_grow(root, "materials");
  const auto same = std::ranges::find(materials, material);
  if (same != materials.end()) return static_cast<std::size_t>(same - materials.begin());
  materials.push_back(std::move(material));
  return materials.size() - 1;
}

Json build_primitive(GltfDocument& document, const SceneMesh& mesh, const ToMeters& to) {
  std::vector<double> positions;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Eigen::Vector3d q = to.point(mesh.positions[v]);
    if (!q.cast<float>().allFinite())
      fail("mesh " + in_quotes(mesh.name) + ": vertex " + std::to_string(v) +
           " is farther off than glTF can say");
    positions.insert(positions.end(), q.data(), q.data() + 3);
  }
  Json attributes = {{"POSITION", append_vectors(document, positions, 3, true)}};
  if (mesh.normals.size() == mesh.positions.size())
    attributes["NORMAL"] = append_normals(document, mesh.normals, to);
  if (mesh.texture_coordinates.size() == mesh.positions.size()) {
    std::vector<double> values;
    for (const Eigen::Vector2f& t : mesh.texture_coordinates)
      for (const float c : t) values.push_back(std::isfinite(c) ? static_cast<double>(c) : 0.0);
    attributes["TEXCOORD_0"] = append_vectors(document, values, 2, false);
  }
  Json primitive = {{"attributes", std::move(attributes)}};
  if (mesh.triangles.empty())
    primitive["mode"] = 0;  // points
  else
    primitive["indices"] = append_indices(document, mesh);
  if (mesh.color) primitive["material"] = material_of(document.json, *mesh.color);
  return primitive;
}

std::size_t append_mesh_node(GltfDocument& document, const SceneMesh& mesh, const ToMeters& to) {
  Json node = {{"name", mesh.name}};
  if (!mesh.positions.empty()) {
    Json primitive = build_primitive(document, mesh, to);
    Json& meshes = list_to_grow(document.json, "meshes");
    node["mesh"] = meshes.size();
    meshes.push_back({{"name", mesh.name}, {"primitives", Json::array({std::move(primitive)})}});
  }
  Json& nodes = list_to_grow(document.json, "nodes");
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

Json new_root() {
  return {{"asset", {{"version", "2.0"}, {"generator", "gvbind"}}},
          {"scene", 0},
          {"scenes", Json::array({Json::object()})}};
}

}  // namespace
}  // namespace gltf

std::shared_ptr<GltfDocument> build_gltf(const Scene& scene) {
  auto document = std::make_shared<GltfDocument>();
  document->json = gltf::new_root();
  const gltf::ToMeters to = gltf::to_meters(scene.units);
  Scene skeleton;
  skeleton.joints = scene.joints;
  for (SceneJoint& joint : skeleton.joints) joint.bind = to.joint(joint.bind);
  gltf::Json tops = gltf::Json::array();
  if (!skeleton.joints.empty())
    tops.push_back(gltf::append_joint_nodes(*document, skeleton, Eigen::Affine3d::Identity()));
  for (const SceneMesh& mesh : scene.meshes)
    tops.push_back(gltf::append_mesh_node(*document, mesh, to));
  if (!tops.empty()) document->json["scenes"][0]["nodes"] = std::move(tops);
  return document;
}

}  // namespace gvbind
