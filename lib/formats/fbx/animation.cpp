#include "formats/fbx/animation.h"

#include <algorithm>

#include "formats/fbx/stack.h"
#include "gvbind/error.h"

namespace gvbind {

std::vector<const FbxObject*> animation_stacks(const FbxObjects& objects) {
  std::vector<const FbxObject*> stacks;
  for (const FbxObject& object : objects.all)
    if (objects.is(object, "AnimationStack")) stacks.push_back(&object);
  return stacks;
}

std::vector<std::string> animation_names(const FbxObjects& objects) {
  std::vector<std::string> names;
  for (const FbxObject* stack : animation_stacks(objects)) names.push_back(stack->name);
  return names;
}

bool moves_morphs(const FbxDocument& document, const FbxObjects& objects, std::size_t stack) {
  const FbxStack curves =
      read_stack(objects, property_links(document), animation_stacks(objects)[stack]->id);
  return std::ranges::any_of(curves.curves, [&](const auto& moved) {
    const FbxObject* object = objects.find(moved.first);
    return object && !objects.is(*object, "Model");
  });
}

std::unordered_map<std::int64_t, Eigen::Affine3d> animated_transforms(const FbxDocument& document,
                                                                      const FbxObjects& objects,
                                                                      std::size_t stack,
                                                                      double seconds) {
  const FbxStack curves =
      read_stack(objects, property_links(document), animation_stacks(objects)[stack]->id);
  if (curves.damage.curves + curves.damage.keys > 0)
    throw Error(ErrorKind::input, "clip '" + animation_names(objects)[stack] +
                                      "': it has curves or keys that are damaged or not finite");
  return world_transforms(objects, [&](std::int64_t model, FbxTransform& transform) {
    place_transform(curves, model, seconds, transform);
  });
}

}  // namespace gvbind
