#include "formats/fbx/insert_model.h"

#include <set>

#include "formats/fbx/edit.h"
#include "formats/fbx/fbx.h"

namespace gvbind {
namespace {

std::string own_name(const FbxObjects& objects, const std::string& name) {
  std::set<std::string> names;
  for (const FbxObject& object : objects.all)
    if (objects.is(object, "Model")) names.insert(object.name);
  std::string own = name;
  for (int n = 2; names.contains(own); ++n) own = name + " " + std::to_string(n);
  return own;
}

/// Hangs a Model from another one than its `parent`, 0 for the scene. Returns whether it hung
/// there.
bool hang_from(FbxDocument& document, std::int64_t model, std::int64_t parent, std::int64_t other) {
  FbxNode* connections = find_child(document.root, "Connections");
  bool any = false;
  if (!connections) return any;
  for (FbxNode& node : connections->children) {
    if (node.properties.size() < 3 || text_of(node.properties[0]) != "OO" ||
        integer_of(node.properties[1]) != model || integer_of(node.properties[2]) != parent)
      continue;
    FbxProperty to = make_long(other);
    to.source = node.properties[2].source;
    to.changed = true;
    node.properties[2] = std::move(to);
    any = true;
  }
  return any;
}

}  // namespace

void insert_above(FbxDocument& document, std::int64_t model, const std::string& name) {
  with_path(document.path, [&] {
    const FbxObjects objects = objects_of(document);
    const FbxObject* above = objects.parent_model(model);
    const std::int64_t parent = above ? above->id : 0;
    Findings findings;
    const Eigen::Affine3d bind = above
                                     ? model_bind(objects, read_binding(objects, findings), parent)
                                     : Eigen::Affine3d::Identity();
    const std::string own = own_name(objects, name);
    FbxEditor editor(document);
    const std::int64_t added = editor.new_id();
    add_limb(editor, own, Eigen::Affine3d::Identity(), 1.0, added);
    if (!hang_from(document, model, parent, added)) editor.connect(model, added);
    editor.connect(added, parent);
    if (bind.matrix().allFinite()) add_to_bind_poses(document, model, added, bind);
    editor.finish();
  });
}

}  // namespace gvbind
