#include "formats/import/assimp_scene.h"

#include <assimp/material.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/import/assimp_nodes.h"
#include "gvbind/error.h"

namespace gvbind {

std::vector<MeshUse> list_uses(const aiScene& scene, const AssimpNodes& nodes) {
  std::vector<MeshUse> uses;
  for (std::size_t n = 0; n < nodes.list.size(); ++n)
    for (const unsigned index : nodes.list[n].meshes) {
      const aiMesh* mesh = scene.mMeshes[index];
      MeshUse use;
      use.node = static_cast<int>(n);
      use.mesh = mesh;
      use.bones = bone_nodes(*mesh, nodes);
      uses.push_back(std::move(use));
    }
  return uses;
}

namespace {

/// Scene joint of each node, -1 if it is not a joint.
std::vector<int> add_joints(const AssimpNodes& nodes, const std::vector<Eigen::Affine3d>& binds,
                            Scene& scene) {
  const bool skinned = std::any_of(nodes.list.begin(), nodes.list.end(),
                                   [](const AssimpNode& node) { return node.bone; });
  std::unordered_map<std::string, int> uses_of_name;
  for (const AssimpNode& node : nodes.list)
    if (node.joint) ++uses_of_name[node.name];
  std::vector<int> joint_of(nodes.list.size(), -1);
  for (std::size_t n = 0; n < nodes.list.size(); ++n) {
    const AssimpNode& node = nodes.list[n];
    if (!node.joint) continue;
    joint_of[n] = static_cast<int>(scene.joints.size());
    SceneJoint joint;
    joint.name = uses_of_name[node.name] == 1 ? node.name : node.key;
    for (int up = node.parent; up >= 0 && joint.parent < 0; up = nodes.list[up].parent)
      joint.parent = joint_of[up];
    joint.bind = binds[n];
    joint.deforms = node.bone || !skinned;
    scene.joints.push_back(std::move(joint));
  }
  return joint_of;
}

std::string name_of(const MeshUse& use, const AssimpNodes& nodes, const ImportHints& hints) {
  const AssimpNode& node = nodes.list[use.node];
  // The root's name is the file's, or generated.
  const std::string own = text_of(use.mesh->mName);
  if (node.parent >= 0 && !node.name.empty()) return node.name;
  return own.empty() ? hints.stem : own;
}

void copy_geometry(const MeshUse& use, SceneMesh& out) {
  const aiMesh& mesh = *use.mesh;
  const Eigen::Matrix3d linear = use.to_bind.linear();
  const bool mirrored = linear.determinant() < 0;
  for (unsigned v = 0; v < mesh.mNumVertices; ++v)
    out.positions.push_back(use.to_bind * vector(mesh.mVertices[v]));
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;
    Triangle triangle = {face.mIndices[0], face.mIndices[1], face.mIndices[2]};
    if (mirrored) std::swap(triangle[1], triangle[2]);
    out.triangles.push_back(triangle);
  }
  if (mesh.HasNormals() && linear.determinant() != 0) {
    const Eigen::Matrix3d turn = linear.inverse().transpose();
    for (unsigned v = 0; v < mesh.mNumVertices; ++v)
      out.normals.push_back((turn * vector(mesh.mNormals[v])).normalized().cast<float>());
    const auto bad = [](const Eigen::Vector3f& n) { return !n.allFinite() || n.isZero(); };
    if (std::any_of(out.normals.begin(), out.normals.end(), bad)) out.normals.clear();
  }
  if (!mesh.HasTextureCoords(0)) return;
  // Texture coordinates start at the lower left in Assimp and at the upper left in glTF.
  for (unsigned v = 0; v < mesh.mNumVertices; ++v)
    out.texture_coordinates.emplace_back(mesh.mTextureCoords[0][v].x,
                                         1.0F - mesh.mTextureCoords[0][v].y);
  const auto bad = [](const Eigen::Vector2f& uv) { return !uv.allFinite(); };
  if (std::any_of(out.texture_coordinates.begin(), out.texture_coordinates.end(), bad))
    out.texture_coordinates.clear();
}

std::optional<Eigen::Vector4f> color_of(const aiScene& scene, const aiMesh& mesh) {
  if (mesh.mMaterialIndex >= scene.mNumMaterials) return std::nullopt;
  const aiMaterial& material = *scene.mMaterials[mesh.mMaterialIndex];
  aiString name;
  if (material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS &&
      text_of(name) == AI_DEFAULT_MATERIAL_NAME)
    return std::nullopt;
  aiColor4D color;
  if (material.Get(AI_MATKEY_BASE_COLOR, color) != aiReturn_SUCCESS &&
      material.Get(AI_MATKEY_COLOR_DIFFUSE, color) != aiReturn_SUCCESS)
    return std::nullopt;
  // Some COLLADA exporters invert transparency and write opacity 0; treat 0 as opaque.
  float opacity = 1.0F;
  if (material.Get(AI_MATKEY_OPACITY, opacity) != aiReturn_SUCCESS || !(opacity > 0)) opacity = 1;
  const Eigen::Vector4f result(color.r, color.g, color.b, opacity);
  if (!result.allFinite()) return std::nullopt;
  return Eigen::Vector4f(result.cwiseMax(0.0F).cwiseMin(1.0F));
}

void copy_skin(const MeshUse& use, const std::vector<int>& joint_of, SceneMesh& out) {
  const aiMesh& mesh = *use.mesh;
  std::vector<std::vector<std::pair<std::uint32_t, float>>> rows(mesh.mNumVertices);
  for (std::size_t b = 0; b < use.bones.size(); ++b) {
    const int joint = joint_of[use.bones[b]];
    const auto same = std::find(out.skin_joints.begin(), out.skin_joints.end(), joint);
    if (same == out.skin_joints.end()) out.skin_joints.push_back(joint);
    const aiBone& bone = *mesh.mBones[b];
    for (unsigned w = 0; w < bone.mNumWeights; ++w) {
      const float weight = bone.mWeights[w].mWeight;
      if (!(weight > 0) || double{weight} > max_weight) continue;
      auto& row = rows[bone.mWeights[w].mVertexId];
      const auto owner = static_cast<std::uint32_t>(joint);
      const auto entry =
          std::find_if(row.begin(), row.end(), [&](const auto& e) { return e.first == owner; });
      if (entry == row.end())
        row.emplace_back(owner, weight);
      else
        entry->second += weight;
    }
  }
  for (auto& row : rows) {
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (const auto& [joint, weight] : row) {
      out.weights.joint.push_back(joint);
      out.weights.weight.push_back(weight);
    }
    out.weights.first.push_back(static_cast<std::uint32_t>(out.weights.joint.size()));
  }
}

void require(bool holds, const std::string& thing, const char* what) {
  if (!holds) throw Error(ErrorKind::input, thing + " " + what);
}

}  // namespace

void check_indices(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    const std::string thing = "mesh '" + text_of(mesh.mName) + "'";
    for (unsigned f = 0; f < mesh.mNumFaces; ++f)
      for (unsigned i = 0; i < mesh.mFaces[f].mNumIndices; ++i)
        require(mesh.mFaces[f].mIndices[i] < mesh.mNumVertices,
                thing + ": face " + std::to_string(f), "names a vertex that does not exist");
    for (unsigned b = 0; b < mesh.mNumBones; ++b)
      for (unsigned w = 0; w < mesh.mBones[b]->mNumWeights; ++w)
        require(mesh.mBones[b]->mWeights[w].mVertexId < mesh.mNumVertices,
                thing + ": bone '" + text_of(mesh.mBones[b]->mName) + "'",
                "has a weight for a vertex that does not exist");
  }
  std::vector<const aiNode*> open = {scene.mRootNode};
  while (!open.empty()) {
    const aiNode* node = open.back();
    open.pop_back();
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
      require(node->mMeshes[i] < scene.mNumMeshes, "node '" + text_of(node->mName) + "'",
              "names a mesh that does not exist");
    open.insert(open.end(), node->mChildren, node->mChildren + node->mNumChildren);
  }
}

ImportedScene scene_of_assimp(const aiScene& scene, const ImportHints& hints) {
  const AssimpNodes nodes = list_nodes(scene, hints);
  std::vector<MeshUse> uses = list_uses(scene, nodes);
  const std::vector<Eigen::Affine3d> binds = place_in_bind_space(nodes, uses);
  ImportedScene result;
  result.scene.units.known = hints.meters_y_up;
  const std::vector<int> joint_of = add_joints(nodes, binds, result.scene);
  for (const MeshUse& use : uses) {
    SceneMesh mesh;
    mesh.name = name_of(use, nodes, hints);
    copy_geometry(use, mesh);
    if (mesh.triangles.empty()) continue;
    mesh.color = color_of(scene, *use.mesh);
    if (use.mesh->mMaterialIndex < scene.mNumMaterials) {
      const std::string material = text_of(scene.mMaterials[use.mesh->mMaterialIndex]->GetName());
      if (!material.empty()) mesh.materials = {material};
    }
    copy_skin(use, joint_of, mesh);
    if (use.bones.empty()) {
      mesh.weights = {};
      for (int n = use.node; n >= 0 && mesh.attached_to < 0; n = nodes.list[n].parent)
        mesh.attached_to = joint_of[n];
    }
    result.scene.meshes.push_back(std::move(mesh));
  }
  return result;
}

}  // namespace gvbind
