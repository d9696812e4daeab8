#pragma once

// Tested by tests/unit/formats/import/import_test.cpp.

#include <assimp/matrix4x4.h>
#include <assimp/types.h>
#include <assimp/vector3.h>
#include <Eigen/Geometry>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gvbind/base/mend_utf8.h"

struct aiScene;
struct aiMesh;

namespace gvbind {

struct ColladaNode {
  std::string name;  ///< the artist's name; ids have prefixes added by the exporter
  bool joint = false;
};

/// The <node> elements of a COLLADA text by their id (else sid), which Assimp uses as their name.
/// Assimp itself drops type="JOINT" and, if there are ids, the names.
std::unordered_map<std::string, ColladaNode> collada_nodes(std::string_view text);

/// Facts about a file that its aiScene does not contain.
struct ImportHints {
  std::unordered_map<std::string, ColladaNode> collada;
  bool root_is_joint = false;  ///< BVH: the file's root node is a joint, not a wrapper
  bool meters_y_up = false;    ///< Assimp has converted the file to these units
  std::string stem;            ///< the name for a mesh without one
};

/// The node tree of an aiScene as a list, parents before children.
struct AssimpNode {
  std::string key;   ///< Assimp's name, by which bones refer to the node
  std::string name;  ///< the artist's
  int parent = -1;
  Eigen::Affine3d world = Eigen::Affine3d::Identity();  ///< in the node pose
  std::vector<unsigned> meshes;
  bool plain = true;   ///< no mesh, camera or light here or below
  bool joint = false;  ///< becomes a joint of the scene
  bool bone = false;   ///< a mesh has weights for it
};

struct AssimpNodes {
  std::vector<AssimpNode> list;
  std::unordered_map<std::string, int> by_key;  ///< the first node with this name
};

/// Marks the joints: nodes that bones name, nodes between them, and nodes below them without a mesh
/// (end joints). If the text of a COLLADA file marks joints, those are used. In a file without
/// meshes and bones, all nodes below its wrappers are joints.
AssimpNodes list_nodes(const aiScene& scene, const ImportHints& hints);

/// Index of the node of each bone of the mesh. Throws Error(input) for a bone without a node.
std::vector<int> bone_nodes(const aiMesh& mesh, const AssimpNodes& nodes);

inline Eigen::Affine3d affine(const aiMatrix4x4& m) {
  Eigen::Affine3d result;
  result.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0,
      0, 1;
  return result;
}

inline Eigen::Vector3d vector(const aiVector3D& v) { return {v.x, v.y, v.z}; }

/// Names leave this reader as UTF-8.
inline std::string text_of(const aiString& text) {
  return mend_utf8(std::string(text.data, text.length));
}

/// One use of an aiMesh by a node.
struct MeshUse {
  int node = -1;
  const aiMesh* mesh = nullptr;
  std::vector<int> bones;                                 ///< node of each bone
  Eigen::Affine3d to_bind = Eigen::Affine3d::Identity();  ///< the mesh's vertices -> bind space
};

/// The bind of every joint node (undefined for other nodes); sets MeshUse::to_bind.
std::vector<Eigen::Affine3d> place_in_bind_space(const AssimpNodes& nodes,
                                                 std::vector<MeshUse>& uses);

}  // namespace gvbind
