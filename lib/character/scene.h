#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

/// Positions are in bind space, one space for all meshes and joints of a file.
struct SceneJoint {
  std::string name;
  int parent = -1;                                     ///< index of an earlier joint, -1 for a root
  Eigen::Affine3d bind = Eigen::Affine3d::Identity();  ///< joint -> bind space
  bool deforms = true;                                 ///< may get weight
  /// Key in the document: glTF node index, FBX Model id; -1: not yet assigned.
  std::int64_t node = -1;
};

/// Limit for weights read from a file. Sums of the maximum number of such weights remain within
/// single precision.
inline constexpr double max_weight = 1e25;

/// Vertices in the document's order (glTF: the distinct POSITION accessors of a node's primitives,
/// concatenated; FBX: control points).
struct SceneMesh {
  std::string name;
  std::vector<Eigen::Vector3d> positions;  ///< bind space
  std::vector<Triangle> triangles;  ///< counter-clockwise from outside, also in mirrored nodes
  /// Local space of the vertices -> bind space.
  Eigen::Affine3d to_bind = Eigen::Affine3d::Identity();
  std::vector<int> skin_joints;  ///< joints of the existing skin, in its order
  /// By joint of that skin, if the format stores a matrix for each: local space of the vertices ->
  /// joint as in the file, and whether it is unset. Skins may differ in the matrix of a joint.
  std::vector<Eigen::Affine3d> inverse_binds = {};
  std::vector<bool> unset_binds = {};
  /// Of that skin, by scene joint; empty: no skin. Rows may be empty or not sum to one.
  SkinWeights weights;
  /// Number of weights of that skin that were dropped: negative, above max_weight, or of a joint or
  /// vertex that does not exist.
  std::size_t damaged_weights = 0;
  /// Vertices with damaged weights, ascending; read with the weights.
  std::vector<std::uint32_t> damaged_vertices;
  int attached_to = -1;    ///< parent joint of the mesh's node, for a mesh without skin
  bool instanced = false;  ///< drawn in several places, which a skin would ignore
  bool selected = true;    ///< to be bound
  /// By vertex, the joint that a rule assigns, or -1. Empty: no such rule.
  std::vector<int> assigned_joint = {};
  std::vector<std::string> materials = {};  ///< names of the mesh's materials
  /// By triangle, index into `materials`, or -1. Empty: all triangles have the first material, if
  /// any.
  std::vector<int> triangle_materials = {};
  std::int64_t node = -1;  ///< key in the document: glTF node index, FBX Model id

  /// For documents built from a scene; patched documents keep their own. Empty or one per vertex.
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector2f> texture_coordinates;
  std::optional<Eigen::Vector4f> color;  ///< base color, linear RGBA
};

/// Unit of length and axes.
struct Units {
  double meters = 1.0;  ///< meters per unit of bind space
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  Eigen::Vector3d front = Eigen::Vector3d::UnitZ();  ///< the direction that a character faces
  bool known = true;  ///< false: the format does not specify them (BVH, OBJ)
};

struct Scene {
  std::vector<SceneMesh> meshes;
  std::vector<SceneJoint> joints;  ///< parents before children, otherwise in the document's order
  Units units;
  std::vector<std::string> sidecars;  ///< files that Assimp asked for beside the main one, from its
                                      ///< directory, there or not
  bool has_skin() const {
    for (const SceneMesh& mesh : meshes)
      if (!mesh.skin_joints.empty()) return true;
    return false;
  }
};

/// Parts of a scene to read besides shapes, joints and skin bindings.
struct SceneParts {
  bool weights = true;  ///< SceneMesh::weights; damaged_weights is counted in any case
  /// Normals and texture coordinates, if the format's reader supports them.
  bool attributes = true;
};

/// Selects meshes and joints. Globs (* ? [..]) match names; an empty list matches all.
struct Selection {
  std::vector<std::string> meshes;   ///< empty: all except meshes attached to a joint, and scenery
  std::vector<std::string> joints;   ///< only these may get weight
  std::vector<std::string> exclude;  ///< these get no weight
  std::vector<std::string> roots;    ///< names of nodes; the skeleton consists of their subtrees
  /// Use of joint names: mechanism joints of a Rigify rig get no weight.
  NameRule names = NameRule::use;
  bool scenery = false;  ///< bind unskinned meshes even if others are skinned
};

/// The result of a bind, by mesh of the scene. Meshes without weights are left alone.
struct SceneWeights {
  /// By mesh; SkinWeights::joint: index into Scene::joints.
  std::vector<SkinWeights> meshes;
  /// By mesh; empty: all false. True: vertices with empty rows keep their weights in the document,
  /// bit for bit.
  std::vector<bool> fills = {};

  bool fills_mesh(std::size_t mesh) const { return mesh < fills.size() && fills[mesh]; }
};

}  // namespace gvbind
