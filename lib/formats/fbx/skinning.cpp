#include "formats/fbx/skinning.h"

#include <numeric>
#include <unordered_set>

#include "formats/fbx/edit.h"
#include "formats/fbx/skin.h"

namespace gvbind {
namespace {

const char* name_of(SkinningType type) {
  switch (type) {
    case SkinningType::linear:
      return "Linear";
    case SkinningType::dual_quaternion:
      return "DualQuaternion";
    case SkinningType::blend:
      return "Blend";
  }
  throw Error(ErrorKind::internal, "skinning type out of range");
}

/// `dual`: null if there are no blend weights.
void set_on_skin(FbxDocument& document, FbxNode& skin, SkinningType type,
                 const std::vector<double>* dual) {
  set_child(document, skin, "SkinningType", make_text(name_of(type)),
            {"Version", "Link_DeformAcuracy"});
  if (!dual) {
    remove_child(document, skin, "Indexes");
    remove_child(document, skin, "BlendWeights");
    return;
  }
  std::vector<std::int32_t> vertices(dual->size());
  std::iota(vertices.begin(), vertices.end(), 0);
  set_child(document, skin, "Indexes", make_array(vertices), {"SkinningType"});
  set_child(document, skin, "BlendWeights", make_array(*dual), {"Indexes"});
}

}  // namespace

void set_skinning(FbxDocument& document, const Scene& scene, const SceneWeights& weights,
                  const SceneSkinning& skinning) {
  const FbxObjects objects = objects_of(document);
  FbxNode* const nodes = find_child(document.root, "Objects");
  const bool blends = skinning.type == SkinningType::blend;
  std::unordered_set<std::int64_t> seen;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (weights.meshes.at(m).empty()) continue;
    if (blends &&
        (m >= skinning.dual.size() || skinning.dual[m].size() != scene.meshes[m].positions.size()))
      throw Error(ErrorKind::internal,
                  "mesh '" + scene.meshes[m].name + "': blend weights for another vertex count");
    const FbxObject* geometry = objects.mesh_geometry(scene.meshes[m].node);
    if (!geometry || !seen.insert(geometry->id).second) continue;
    for (const std::int64_t skin : skins_of_geometry(objects, geometry->id))
      set_on_skin(document, nodes->children[objects.find(skin)->index], skinning.type,
                  blends ? &skinning.dual[m] : nullptr);
  }
  if (!seen.empty()) document.changed = true;
}

}  // namespace gvbind
