#include "assets/import/assimp_nodes.h"

#include <assimp/scene.h>

#include <unordered_set>
#include <utility>

#include "assets/import/assimp_nodes.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

void flatten(const aiScene& scene, AssimpNodes& nodes) {
  std::vector<std::pair<const aiNode*, int>> open = {{scene.mRootNode, -1}};
  while (!open.empty()) {
    const auto [source, parent] = open.back();
    open.pop_back();
    AssimpNode node;
    node.key = node.name = text_of(source->mName);
    node.parent = parent;
    node.world = affine(source->mTransformation);
    if (parent >= 0) node.world = nodes.list[parent].world * node.world;
    node.meshes.assign(source->mMeshes, source->mMeshes + source->mNumMeshes);
    const int index = static_cast<int>(nodes.list.size());
    nodes.by_key.try_emplace(node.key, index);
    nodes.list.push_back(std::move(node));
    for (unsigned c = source->mNumChildren; c-- > 0;)
      open.emplace_back(source->mChildren[c], index);
  }
}

void find_plain(const aiScene& scene, AssimpNodes& nodes) {
  std::unordered_set<std::string> seen_by;
  for (unsigned i = 0; i < scene.mNumCameras; ++i)
    seen_by.insert(text_of(scene.mCameras[i]->mName));
  for (unsigned i = 0; i < scene.mNumLights; ++i) seen_by.insert(text_of(scene.mLights[i]->mName));
  for (std::size_t i = nodes.list.size(); i-- > 0;) {
    AssimpNode& node = nodes.list[i];
    if (!node.meshes.empty() || seen_by.contains(node.key)) node.plain = false;
    if (!node.plain && node.parent >= 0) nodes.list[node.parent].plain = false;
  }
}

void mark_bones(const aiScene& scene, AssimpNodes& nodes) {
  for (const AssimpNode& node : nodes.list)
    for (const unsigned mesh : node.meshes)
      for (const int bone : bone_nodes(*scene.mMeshes[mesh], nodes))
        nodes.list[bone].bone = nodes.list[bone].joint = true;
}

void mark_between(AssimpNodes& nodes) {
  // The joint that is nearest above, by node.
  std::vector<int> above(nodes.list.size(), -1);
  for (std::size_t i = 0; i < nodes.list.size(); ++i) {
    const int parent = nodes.list[i].parent;
    if (parent >= 0) above[i] = nodes.list[parent].joint ? parent : above[parent];
  }
  for (std::size_t i = 0; i < nodes.list.size(); ++i) {
    if (!nodes.list[i].joint || above[i] < 0) continue;
    for (int n = nodes.list[i].parent; n != above[i] && !nodes.list[n].joint;
         n = nodes.list[n].parent)
      nodes.list[n].joint = true;
  }
}

void mark_ends(AssimpNodes& nodes) {
  for (AssimpNode& node : nodes.list)
    if (node.plain && node.parent >= 0 && nodes.list[node.parent].joint) node.joint = true;
}

/// A file's own root and an armature's node: one child, and no place of their own.
std::size_t count_wrappers(const AssimpNodes& nodes, const std::vector<int>& child_count) {
  std::size_t i = 0;
  while (i + 2 < nodes.list.size() && child_count[i] == 1 && nodes.list[i].plain &&
         child_count[i + 1] > 0 && nodes.list[i].world.translation().isZero(1e-9))
    ++i;
  return i;
}

void mark_hierarchy(AssimpNodes& nodes, bool has_wrappers) {
  std::vector<int> child_count(nodes.list.size(), 0);
  for (const AssimpNode& node : nodes.list)
    if (node.parent >= 0) ++child_count[node.parent];
  const std::size_t first = has_wrappers ? count_wrappers(nodes, child_count) : 0;
  for (std::size_t i = first; i < nodes.list.size(); ++i) nodes.list[i].joint = nodes.list[i].plain;
  if (nodes.list.size() < 2) nodes.list.front().joint = false;
}

}  // namespace

std::vector<int> bone_nodes(const aiMesh& mesh, const AssimpNodes& nodes) {
  std::vector<int> found;
  for (unsigned b = 0; b < mesh.mNumBones; ++b) {
    const std::string key = text_of(mesh.mBones[b]->mName);
    const auto at = nodes.by_key.find(key);
    if (at == nodes.by_key.end())
      throw Error(ErrorKind::input, "mesh '" + text_of(mesh.mName) + "': its bone '" + key +
                                        "' is no node of the file");
    found.push_back(at->second);
  }
  return found;
}

AssimpNodes list_nodes(const aiScene& scene, const ImportHints& hints) {
  AssimpNodes nodes;
  flatten(scene, nodes);
  find_plain(scene, nodes);
  mark_bones(scene, nodes);
  bool any = false, said = false;
  for (AssimpNode& node : nodes.list) {
    if (const auto at = hints.collada.find(node.key); at != hints.collada.end()) {
      node.name = at->second.name;
      said = said || at->second.joint;
      node.joint = node.joint || at->second.joint;
    }
    any = any || node.joint;
  }
  mark_between(nodes);
  if (any && !said) mark_ends(nodes);
  if (!any && scene.mNumMeshes == 0) mark_hierarchy(nodes, !hints.root_is_joint);
  return nodes;
}

}  // namespace gvbind
