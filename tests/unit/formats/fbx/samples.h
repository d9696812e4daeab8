#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "formats/fbx/document.h"
#include "support/shapes.h"

namespace gvbind::test {

/// A capsule of 100 cm along y with joints joint0, joint1, ... along its axis, each slightly
/// rotated.
inline Scene arm_scene(int joints = 4) {
  Scene scene;
  scene.units.meters = 0.01;
  const Shape shape = capsule({0, 0, 0}, {0, 100, 0}, 10, 8, 6);
  SceneMesh mesh;
  mesh.name = "Arm";
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  for (const Eigen::Vector3d& p : mesh.positions) {
    mesh.normals.push_back((p - Eigen::Vector3d(0, 50, 0)).normalized().cast<float>());
    mesh.texture_coordinates.emplace_back(static_cast<float>(p.x() / 20.0 + 0.5),
                                          static_cast<float>(p.y() / 100.0));
  }
  mesh.color = Eigen::Vector4f(1.0f, 0.5f, 0.25f, 1.0f);
  scene.meshes.push_back(std::move(mesh));
  for (int j = 0; j < joints; ++j) {
    SceneJoint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j - 1;
    joint.bind.translate(Eigen::Vector3d(0, 100.0 * j / joints, 0));
    joint.bind.rotate(Eigen::AngleAxisd(0.3 * j, Eigen::Vector3d(1, 2, 3).normalized()));
    scene.joints.push_back(joint);
  }
  return scene;
}

/// Weights that depend only on vertex and joint: each vertex has up to three of the deforming
/// joints, but never the last one.
inline SkinWeights sample_weights(const Scene& scene, const SceneMesh& mesh) {
  std::vector<std::uint32_t> deforming;
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (scene.joints[j].deforms) deforming.push_back(static_cast<std::uint32_t>(j));
  if (deforming.size() > 1) deforming.pop_back();
  static constexpr float shares[] = {0.5f, 0.375f, 0.125f};
  SkinWeights out;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const std::size_t count = std::min<std::size_t>(1 + 2 * (v % 2), deforming.size());
    for (std::size_t k = 0; k < count; ++k) {
      out.joint.push_back(deforming[(v + k) % deforming.size()]);
      out.weight.push_back(count == 1 ? 1.0f : count == 2 ? 0.5f : shares[k]);
    }
    out.first.push_back(static_cast<std::uint32_t>(out.joint.size()));
  }
  return out;
}

inline SceneWeights sample_weights(const Scene& scene) {
  SceneWeights out;
  for (const SceneMesh& mesh : scene.meshes)
    out.meshes.push_back(mesh.selected ? sample_weights(scene, mesh) : SkinWeights{});
  return out;
}

/// An ASCII document of version 7.4 with these Objects and Connections.
inline std::string ascii_text(const std::string& objects, const std::string& connections,
                              const std::string& settings = "") {
  return "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n"
         "\tFBXVersion: 7400\n}\nGlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n" +
         settings + "\t}\n}\nDefinitions:  {\n\tVersion: 100\n\tCount: 1\n" +
         "\tObjectType: \"Model\" {\n\t\tCount: 1\n\t}\n}\nObjects:  {\n" + objects +
         "}\nConnections:  {\n" + connections + "}\n";
}

inline std::shared_ptr<FbxDocument> parse_text(const std::string& text) {
  return parse_fbx({text.begin(), text.end()}, "sample.fbx");
}

inline std::string model_text(int id, const std::string& name, const std::string& type,
                              const std::string& properties = "") {
  return "\tModel: " + std::to_string(id) + ", \"Model::" + name + "\", \"" + type +
         "\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n" + properties + "\t\t}\n\t}\n";
}

inline std::string vector_text(const std::string& name, double x, double y, double z) {
  return "\t\t\tP: \"" + name + "\", \"" + name + "\", \"\", \"A\"," + std::to_string(x) + "," +
         std::to_string(y) + "," + std::to_string(z) + "\n";
}

/// A tetrahedron of four control points.
inline std::string tetrahedron_text(int id) {
  return "\tGeometry: " + std::to_string(id) +
         ", \"Geometry::\", \"Mesh\" {\n\t\tVertices: *12 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0,0,0,1\n"
         "\t\t}\n\t\tPolygonVertexIndex: *12 {\n\t\t\ta: 0,2,-2,0,1,-4,0,3,-3,1,2,-4\n\t\t}\n\t}\n";
}

inline std::string link_text(int child, int parent) {
  return "\tC: \"OO\"," + std::to_string(child) + "," + std::to_string(parent) + "\n";
}

inline std::string matrix_text(const std::string& name, const Eigen::Affine3d& matrix) {
  std::string out = "\t\t" + name + ": *16 {\n\t\t\ta: ";
  for (int i = 0; i < 16; ++i) {
    if (i > 0) out += ",";
    out += std::to_string(matrix.matrix().data()[i]);
  }
  return out + "\n\t\t}\n";
}

inline std::string cluster_text(int id, const std::string& indexes, const std::string& weights,
                                const Eigen::Affine3d& transform, const Eigen::Affine3d& link) {
  return "\tDeformer: " + std::to_string(id) +
         ", \"SubDeformer::\", \"Cluster\" {\n\t\tVersion: 100\n\t\tUserData: \"\", \"\"\n"
         "\t\tIndexes: *9 {\n\t\t\ta: " +
         indexes + "\n\t\t}\n\t\tWeights: *9 {\n\t\t\ta: " + weights + "\n\t\t}\n" +
         matrix_text("Transform", transform) + matrix_text("TransformLink", link) + "\t}\n";
}

inline std::string skin_text(int id) {
  return "\tDeformer: " + std::to_string(id) +
         ", \"Deformer::\", \"Skin\" {\n\t\tVersion: 101\n\t\tLink_DeformAcuracy: 50\n\t}\n";
}

inline Eigen::Affine3d moved(double x, double y, double z) {
  return Eigen::Affine3d(Eigen::Translation3d(x, y, z));
}

/// Equal names, types, value bytes and children; offsets in the source are ignored.
inline bool same_tree(const FbxNode& a, const FbxNode& b) {
  if (a.name != b.name || a.properties.size() != b.properties.size() ||
      a.children.size() != b.children.size())
    return false;
  for (std::size_t i = 0; i < a.properties.size(); ++i)
    if (a.properties[i].type != b.properties[i].type ||
        a.properties[i].data != b.properties[i].data)
      return false;
  for (std::size_t i = 0; i < a.children.size(); ++i)
    if (!same_tree(a.children[i], b.children[i])) return false;
  return true;
}

/// The message of an Error thrown by `work`; empty if it throws none.
template <typename Work>
std::string message_of(const Work& work, ErrorKind kind) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind() == kind ? error.what() : "another kind: " + std::string(error.what());
  }
  return {};
}

/// The document, written and parsed again.
inline std::shared_ptr<FbxDocument> reread(const FbxDocument& document) {
  Findings findings;
  return parse_fbx(encode_fbx(document, findings), document.path);
}

inline std::int64_t count_in_definitions(const FbxDocument& document, const std::string& kind) {
  const FbxNode& definitions = *find_child(document.root, "Definitions");
  if (kind.empty()) return *integer_of(find_child(definitions, "Count")->properties[0]);
  for (const FbxNode& type : definitions.children)
    if (type.name == "ObjectType" && text_of(type.properties[0]) == kind)
      return *integer_of(find_child(type, "Count")->properties[0]);
  return 0;
}

}  // namespace gvbind::test
