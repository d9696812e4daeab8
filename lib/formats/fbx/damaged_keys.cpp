#include "formats/fbx/damaged_keys.h"

#include "formats/fbx/animation.h"
#include "formats/fbx/stack.h"

namespace gvbind {

std::vector<DamagedStack> damaged_stacks(const FbxDocument& document) {
  const FbxObjects objects = objects_of(document);
  const FbxPropertyLinks links = property_links(document);
  std::vector<DamagedStack> out;
  for (const FbxObject* object : animation_stacks(objects)) {
    const FbxStack stack = read_stack(objects, links, object->id);
    DamagedStack damaged{object->name, {}, false};
    std::size_t sound = 0;
    for (const auto& [id, damage] : stack.damage_of) {
      const FbxObject* model = objects.find(id);
      if (!model || !objects.is(*model, "Model")) continue;
      sound += damage.all - damage.keys;
      if (damage.keys > 0 || damage.curves > 0)
        damaged.nodes.push_back(
            {out.size(), model->name, damage.keys, damage.all, damage.curves > 0});
    }
    damaged.is_lost = !damaged.nodes.empty() && sound == 0;
    out.push_back(std::move(damaged));
  }
  return out;
}

}  // namespace gvbind
