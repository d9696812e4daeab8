#include "assets/fbx/pose.h"

#include <algorithm>

namespace gvbind {
namespace {

std::unordered_set<std::int64_t> models_in(const FbxNode& pose) {
  std::unordered_set<std::int64_t> out;
  for (const FbxNode& entry : pose.children) {
    const FbxNode* node = entry.name == "PoseNode" ? find_child(entry, "Node") : nullptr;
    if (!node || node->properties.empty()) continue;
    if (const std::optional<std::int64_t> id = integer_of(node->properties[0])) out.insert(*id);
  }
  return out;
}

bool is_bind_pose(const FbxNode& node) {
  return node.name == "Pose" && node.properties.size() > 2 &&
         text_of(node.properties[2]) == "BindPose";
}

/// Looked up in the tree, since an earlier mesh of the same patch may have made it. Null: none.
FbxNode* pose_for(FbxDocument& document, std::int64_t mesh) {
  FbxNode* first = nullptr;
  for (FbxNode& node : find_child(document.root, "Objects")->children) {
    if (!is_bind_pose(node)) continue;
    if (models_in(node).contains(mesh)) return &node;
    if (!first) first = &node;
  }
  return first;
}

FbxNode pose_node(std::int64_t model, const Eigen::Affine3d& bind) {
  return make_node("PoseNode", {},
                   {make_node("Node", {make_long(model)}),
                    make_node("Matrix", {make_array(matrix_values(bind))})});
}

}  // namespace

void update_bind_pose(FbxDocument& document, FbxEditor& editor, const FbxObjects& objects,
                      const FbxBinding& binding, std::int64_t mesh,
                      const std::vector<std::int64_t>& joints) {
  FbxNode* pose = pose_for(document, mesh);
  if (!pose) {
    editor.add_object(
        "Pose", editor.new_id(), objects.find(mesh)->name, "Pose", "BindPose",
        {make_node("Type", {make_text("BindPose")}), make_node("Version", {make_integer(100)}),
         make_node("NbPoseNodes", {make_integer(0)})});
    pose = pose_for(document, mesh);
  }
  std::unordered_set<std::int64_t> there = models_in(*pose);
  const std::size_t before = there.size();
  std::unordered_set<std::int64_t> seen;  // with all above them
  const auto add = [&](std::int64_t model) {
    for (const FbxObject* up = objects.find(model); up && seen.insert(up->id).second;
         up = objects.parent_model(up->id)) {
      if (!there.insert(up->id).second) continue;
      const Eigen::Affine3d bind = model_bind(objects, binding, up->id);
      if (bind.matrix().allFinite()) append_child(*pose, pose_node(up->id, bind));
    }
  };
  add(mesh);
  for (const std::int64_t joint : joints) add(joint);
  if (there.size() == before) return;
  const auto count = std::count_if(pose->children.begin(), pose->children.end(),
                                   [](const FbxNode& node) { return node.name == "PoseNode"; });
  set_child(document, *pose, "NbPoseNodes", make_integer(static_cast<std::int32_t>(count)),
            {"Type", "Version"});
}

}  // namespace gvbind
