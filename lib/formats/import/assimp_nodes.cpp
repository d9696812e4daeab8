#include "formats/import/assimp_nodes.h"

#include <assimp/mesh.h>
#include <assimp/scene.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "gvbind/error.h"

namespace gvbind {

namespace {

bool is_xml_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// `tag` is the text between < and >. Values with entities are skipped: Assimp's ids are used for
/// them.
std::optional<std::string> attribute(std::string_view tag, std::string_view key) {
  for (std::size_t at = tag.find(key); at != std::string_view::npos; at = tag.find(key, at + 1)) {
    std::size_t next = at + key.size();
    while (next < tag.size() && is_xml_blank(tag[next])) ++next;
    if (at == 0 || !is_xml_blank(tag[at - 1]) || next >= tag.size() || tag[next] != '=') continue;
    ++next;
    while (next < tag.size() && is_xml_blank(tag[next])) ++next;
    if (next >= tag.size() || (tag[next] != '"' && tag[next] != '\'')) continue;
    const std::size_t end = tag.find(tag[next], next + 1);
    if (end == std::string_view::npos) continue;
    const std::string_view value = tag.substr(next + 1, end - next - 1);
    if (value.empty() || value.find('&') != std::string_view::npos) return std::nullopt;
    return std::string(value);
  }
  return std::nullopt;
}

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
  // By node, the nearest joint above.
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

/// The file's root and the node of an armature: one child, and no transform of their own.
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

bool invertible(const Eigen::Affine3d& transform) {
  const double size = transform.linear().norm();
  const double det = transform.linear().determinant();
  return transform.matrix().allFinite() && size > 0 && std::abs(det) > 1e-9 * size * size * size;
}

/// b * a^-1 * c, or c where `a` has no inverse.
Eigen::Affine3d carried(const Eigen::Affine3d& b, const Eigen::Affine3d& a,
                        const Eigen::Affine3d& c) {
  return invertible(a) ? b * a.inverse() * c : c;
}

class Binds {
 public:
  explicit Binds(const AssimpNodes& nodes)
      : nodes_(nodes), bind_(nodes.list.size()), known_(nodes.list.size(), false) {}

  /// Meshes of one skeleton share one space: that of the first of these meshes.
  void place(MeshUse& use) {
    int anchor = -1, anchor_bone = -1;
    for (std::size_t b = 0; b < use.bones.size(); ++b) {
      const int node = use.bones[b];
      if (!invertible(affine(use.mesh->mBones[b]->mOffsetMatrix))) continue;
      const bool better =
          anchor < 0 || (known_[node] != known_[anchor] ? known_[node] : node < anchor);
      if (better) anchor = node, anchor_bone = static_cast<int>(b);
    }
    const Eigen::Affine3d& world = nodes_.list[use.node].world;
    if (anchor < 0) {
      use.to_bind = world;
      return;
    }
    const Eigen::Affine3d& at = known_[anchor] ? bind_[anchor] : nodes_.list[anchor].world;
    use.to_bind = at * affine(use.mesh->mBones[anchor_bone]->mOffsetMatrix);
    for (std::size_t b = 0; b < use.bones.size(); ++b) {
      const Eigen::Affine3d offset = affine(use.mesh->mBones[b]->mOffsetMatrix);
      if (known_[use.bones[b]] || !invertible(offset)) continue;
      known_[use.bones[b]] = true;
      bind_[use.bones[b]] = use.to_bind * offset.inverse();
    }
  }

  /// Joints without an offset matrix follow the joint above them, else one below.
  void fill() {
    for (std::size_t i = 0; i < bind_.size(); ++i) {
      const int parent = nodes_.list[i].parent;
      if (known_[i] || parent < 0 || !known_[parent]) continue;
      follow(i, static_cast<std::size_t>(parent));
    }
    for (std::size_t i = bind_.size(); i-- > 0;) {
      const int parent = nodes_.list[i].parent;
      if (known_[i] && parent >= 0 && !known_[parent]) follow(static_cast<std::size_t>(parent), i);
    }
    for (std::size_t i = 0; i < bind_.size(); ++i) {
      const int parent = nodes_.list[i].parent;
      if (known_[i]) continue;
      if (parent >= 0)
        follow(i, static_cast<std::size_t>(parent));
      else
        bind_[i] = nodes_.list[i].world, known_[i] = true;
    }
  }

  std::vector<Eigen::Affine3d> take() { return std::move(bind_); }

 private:
  void follow(std::size_t i, std::size_t other) {
    bind_[i] = carried(bind_[other], nodes_.list[other].world, nodes_.list[i].world);
    known_[i] = true;
  }

  const AssimpNodes& nodes_;
  std::vector<Eigen::Affine3d> bind_;
  std::vector<bool> known_;
};

}  // namespace

std::unordered_map<std::string, ColladaNode> collada_nodes(std::string_view text) {
  std::unordered_map<std::string, ColladaNode> nodes;
  constexpr std::string_view opening = "<node";
  for (std::size_t at = text.find(opening); at != std::string_view::npos;
       at = text.find(opening, at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) break;
    const std::string_view tag = text.substr(at + opening.size(), end - at - opening.size());
    if (tag.empty() || !is_xml_blank(tag.front())) continue;
    const std::optional<std::string> name = attribute(tag, "name"), sid = attribute(tag, "sid");
    std::optional<std::string> key = attribute(tag, "id");
    if (!key) key = sid;
    if (!key) continue;
    nodes.try_emplace(*key, ColladaNode{name.value_or(*key), attribute(tag, "type") == "JOINT"});
  }
  return nodes;
}

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

std::vector<Eigen::Affine3d> place_in_bind_space(const AssimpNodes& nodes,
                                                 std::vector<MeshUse>& uses) {
  Binds binds(nodes);
  for (MeshUse& use : uses)
    if (!use.bones.empty()) binds.place(use);
  binds.fill();
  std::vector<Eigen::Affine3d> bind = binds.take();
  for (MeshUse& use : uses) {
    if (!use.bones.empty()) continue;
    int joint = use.node;
    while (joint >= 0 && !nodes.list[joint].joint) joint = nodes.list[joint].parent;
    const Eigen::Affine3d& world = nodes.list[use.node].world;
    use.to_bind = joint >= 0 ? carried(bind[joint], nodes.list[joint].world, world) : world;
  }
  return bind;
}

}  // namespace gvbind
