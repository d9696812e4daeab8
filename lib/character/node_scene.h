#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "character/animation.h"
#include "character/dropped_features.h"
#include "character/materials.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

struct Transform {
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
};

/// A custom property.
struct CustomProperty {
  std::string name;
  std::variant<bool, double, std::string, std::vector<double>> value;
};

struct Node {
  std::string name;
  int parent = -1;  ///< index of an earlier node
  Transform local;
  int mesh = -1, skin = -1, camera = -1, light = -1;
  std::vector<double> morph_weights;  ///< one per morph target of the mesh
  std::vector<CustomProperty> extras;
  bool is_joint = false;     ///< marked as such in the file, or used by a skin
  bool hidden = false;       ///< not drawn, together with all descendants
  std::int64_t source = -1;  ///< key in the document, as SceneMesh::node; -1: not a node there
};

struct Submesh {
  std::vector<Triangle> triangles;
  int material = -1;
  /// By triangle, its index in SceneMesh::triangles of the same document. Empty: not read from one.
  std::vector<std::uint32_t> scene_triangles = {};
};

/// A morph target (blend shape): offsets of each vertex. `normals` may be empty.
struct Morph {
  std::string name;
  std::vector<Eigen::Vector3f> positions, normals;
};

/// Attributes are empty or one per vertex.
struct Mesh {
  std::string name;
  std::vector<Eigen::Vector3f> positions;  ///< in the node's space; if skinned, in the skin's
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector4f> tangents;          ///< w: side of the bitangent, 1 or -1
  std::vector<Eigen::Vector4f> colors;            ///< linear RGBA
  std::vector<std::vector<Eigen::Vector2f>> uvs;  ///< by set
  std::vector<std::string> uv_names;              ///< by set, may be empty
  std::vector<Submesh> primitives;
  std::vector<Morph> morphs;
  SkinWeights weights;  ///< by slot of the skin; rows may be empty
};

struct Skin {
  std::string name;
  std::vector<int> joints;                        ///< nodes, by slot
  std::vector<Eigen::Affine3d> inverse_binds;     ///< mesh -> joint, by slot
  std::vector<Eigen::Affine3d> joint_binds = {};  ///< joint -> pose at bind time, by slot; optional
};

struct Camera {
  std::string name;
  bool perspective = true;
  double y_fov = 0.8, aspect = 0.0;  ///< aspect 0: that of the viewport
  double x_mag = 1.0, y_mag = 1.0;   ///< half the extent, for orthographic cameras
  double z_near = 0.1, z_far = 1000.0;
};

struct Light {
  enum class Kind { point, directional, spot };
  std::string name;
  Kind kind = Kind::point;
  Eigen::Vector3d color = Eigen::Vector3d::Ones();
  double intensity = 1.0;
  double inner_cone = 0.0, outer_cone = 0.785398;  ///< half angles of a spot
};

/// A complete file, independent of its format: everything that a conversion keeps. Lengths are
/// meters, +Y is up, angles are radians, texture coordinates start at the upper left.
struct NodeScene {
  std::vector<Node> nodes;  ///< parents before children
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Material> materials;
  std::vector<ImageFile> images;
  std::vector<Camera> cameras;  ///< look along -Z
  std::vector<Light> lights;    ///< shine along -Z
  std::vector<Clip> clips;
};

Eigen::Affine3d matrix_of(const Transform& transform);

/// World matrix of each node.
std::vector<Eigen::Affine3d> world_matrices(const NodeScene& scene);

/// Diagonal of the box around all vertices in their meshes' spaces; 1 without vertices.
double scene_size(const NodeScene& scene);

/// By node: scene_size() in the node's parent space, if that is smaller. Below a node scaled by
/// 100, a length looks a hundred times as large.
std::vector<double> sizes_below(const NodeScene& scene);

/// The nearest transform without shear; true if the matrix had none.
bool split_matrix(const Eigen::Affine3d& matrix, Transform& out);

}  // namespace gvbind
