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

/// Positions are in the space in which the file is bound (its bind space): one space for all meshes
/// and joints of a file.
struct SceneJoint {
  std::string name;
  int parent = -1;                                     ///< index of an earlier joint, -1 at a root
  Eigen::Affine3d bind = Eigen::Affine3d::Identity();  ///< joint -> bind space
  bool deforms = true;                                 ///< may own weight
  std::int64_t node = -1;  ///< the document's own key: glTF node index, FBX Model id; -1: none yet
};

/// The largest weight that a file's skin may give; sums of as many as there can be still are single
/// precision.
inline constexpr double max_weight = 1e25;

/// Vertices are the document's own, in its order (glTF: the distinct POSITION accessors of a node's
/// primitives, one after the other; FBX: control points).
struct SceneMesh {
  std::string name;
  std::vector<Eigen::Vector3d> positions;  ///< bind space
  std::vector<Triangle> triangles;  ///< counter-clockwise from outside, also in mirrored nodes
  Eigen::Affine3d to_bind = Eigen::Affine3d::Identity();  ///< the vertices' own space -> bind space
  std::vector<int> skin_joints;  ///< joints of the skin it has already, in that skin's order
  /// By joint of that skin, where the format has a matrix for each: the vertices' own space ->
  /// joint as the file has it, and whether it says nothing. Skins may differ in one joint's.
  std::vector<Eigen::Affine3d> inverse_binds = {};
  std::vector<bool> unset_binds = {};
  SkinWeights weights;  ///< of that skin, by scene joint; empty: no skin. Rows may be empty or
                        ///< not sum to one
  std::size_t damaged_weights = 0;  ///< of that skin, left out: negative, above max_weight, or of a
                                    ///< joint or vertex that is not there
  std::vector<std::uint32_t> damaged_vertices;  ///< that had some of those, ascending; read with
                                                ///< the weights
  int attached_to = -1;  ///< the joint that the mesh's node hangs from, for a mesh without skin
  bool selected = true;  ///< to be bound
  /// By vertex, the joint that a rule gives it to, or -1. Empty: no rule does.
  std::vector<int> assigned_joint = {};
  std::vector<std::string> materials = {};  ///< names of those that it has
  /// By triangle, into `materials`, or -1. Empty: all triangles have the first, if there is one.
  std::vector<int> triangle_materials = {};
  std::int64_t node = -1;  ///< the document's own key: glTF node index, FBX Model id

  /// For documents built from a scene; a document that is patched carries them itself. Empty or one
  /// a vertex.
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector2f> texture_coordinates;
  std::optional<Eigen::Vector4f> color;  ///< base color, linear RGBA
};

/// In what a length of 1 is, and where up is.
struct Units {
  double meters = 1.0;  ///< a unit of bind space
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  Eigen::Vector3d front = Eigen::Vector3d::UnitZ();  ///< where a character looks
  bool known = true;                                 ///< false: the format does not say (BVH, OBJ)
};

struct Scene {
  std::vector<SceneMesh> meshes;
  std::vector<SceneJoint> joints;  ///< parents before children; else in the document's order
  Units units;
  std::vector<std::string> sidecars;  ///< files that Assimp asked for beside the main one, from its
                                      ///< directory, there or not
  bool has_skin() const {
    for (const SceneMesh& mesh : meshes)
      if (!mesh.skin_joints.empty()) return true;
    return false;
  }
};

/// What a scene made of a document holds beside shapes, joints and who is skinned to whom.
struct SceneParts {
  bool weights = true;     ///< SceneMesh::weights; its damaged_weights are counted without too
  bool attributes = true;  ///< normals and texture coordinates, where the format's reader has them
};

/// Which meshes and joints take part. Globs (* ? [..]) match names; an empty list matches all.
struct Selection {
  std::vector<std::string> meshes;   ///< empty: all but those that hang from a joint, and scenery
  std::vector<std::string> joints;   ///< these alone may own weight
  std::vector<std::string> exclude;  ///< these may not
  std::vector<std::string> roots;    ///< names of nodes: the skeleton is what hangs from them
  NameRule names = NameRule::use;    ///< of joints: a Rigify rig's mechanism owns nothing
  bool scenery = false;  ///< meshes without a skin beside skinned ones are bound as well
};

/// The outcome of a bind, by mesh of the scene. A mesh without weights is left as it is.
struct SceneWeights {
  std::vector<SkinWeights>
      meshes;  ///< as many as Scene::meshes; SkinWeights::joint: index into Scene::joints
  /// As many, or none for all false. True: a vertex with an empty row keeps the weights that the
  /// document has for it, bit for bit.
  std::vector<bool> fills = {};

  bool fills_mesh(std::size_t mesh) const { return mesh < fills.size() && fills[mesh]; }
};

}  // namespace gvbind
