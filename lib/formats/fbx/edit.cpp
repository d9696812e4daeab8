#include "formats/fbx/edit.h"

#include <algorithm>
#include <limits>

namespace gvbind {

namespace {

/// Ids of objects, of documents and of both ends of connections.
std::unordered_set<std::int64_t> ids_of(const FbxNode& root) {
  std::unordered_set<std::int64_t> out;
  for (const std::string_view list : {"Objects", "Documents", "Connections"}) {
    const FbxNode* top = find_child(root, list);
    if (!top) continue;
    for (const FbxNode& node : top->children)
      for (const FbxProperty& property : node.properties)
        if (const std::optional<std::int64_t> id = integer_of(property)) out.insert(*id);
  }
  return out;
}

void add_to_count(FbxDocument& document, FbxNode& parent, std::int32_t added) {
  FbxNode* count = find_child(parent, "Count");
  constexpr std::int64_t max_count = std::numeric_limits<std::int32_t>::max();
  const std::int64_t old =
      count && !count->properties.empty() ? integer_of(count->properties[0]).value_or(0) : 0;
  const std::int64_t sum = std::min(std::clamp<std::int64_t>(old, 0, max_count) + added, max_count);
  set_child(document, parent, "Count", make_integer(static_cast<std::int32_t>(sum)), {"Version"});
}

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

/// Searches the tree, since an earlier mesh of the same patch may have added the pose. Null: none.
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

void set_pose_count(FbxDocument& document, FbxNode& pose) {
  const auto count = std::count_if(pose.children.begin(), pose.children.end(),
                                   [](const FbxNode& node) { return node.name == "PoseNode"; });
  set_child(document, pose, "NbPoseNodes", make_integer(static_cast<std::int32_t>(count)),
            {"Type", "Version"});
}

}  // namespace

FbxEditor::FbxEditor(FbxDocument& document)
    : document_(document), used_(ids_of(document.root)), ticks_(ticks_per_second(document)) {
  constexpr std::int64_t highest = std::int64_t{1} << 62;
  for (const std::int64_t id : used_)
    if (id < highest) next_ = std::max(next_, id + 1);
}

std::int64_t FbxEditor::new_id() {
  while (!used_.insert(next_).second) ++next_;
  return next_++;
}

FbxNode& FbxEditor::top(std::string_view name) {
  FbxNode* node = find_child(document_.root, name);
  if (!node) {
    document_.root.children.push_back(make_node(name, {}));
    node = &document_.root.children.back();
  }
  return *node;
}

void FbxEditor::add_object(std::string_view kind, std::int64_t id, std::string_view name,
                           std::string_view object_class, std::string_view type,
                           std::vector<FbxNode> children) {
  std::string full(name);
  full.append("\0\1", 2).append(object_class);
  append_child(top("Objects"), make_node(kind, {make_long(id), make_text(full), make_text(type)},
                                         std::move(children)));
  ++added_[std::string(kind)];
}

void FbxEditor::connect(std::int64_t child, std::int64_t parent) {
  append_child(top("Connections"),
               make_node("C", {make_text("OO"), make_long(child), make_long(parent)}));
}

void FbxEditor::connect_property(std::int64_t child, std::int64_t parent,
                                 std::string_view property) {
  append_child(top("Connections"), make_node("C", {make_text("OP"), make_long(child),
                                                   make_long(parent), make_text(property)}));
}

FbxNode& FbxEditor::object(std::size_t index) { return top("Objects").children[index]; }

void FbxEditor::finish() {
  document_.changed = true;
  FbxNode* definitions = find_child(document_.root, "Definitions");
  if (!definitions) return;
  std::int32_t total = 0;
  for (const auto& [kind, count] : added_) {
    total += count;
    FbxNode* type = nullptr;
    for (FbxNode& node : definitions->children)
      if (node.name == "ObjectType" && !node.properties.empty() &&
          text_of(node.properties[0]) == kind)
        type = &node;
    if (!type) {
      append_child(*definitions, make_node("ObjectType", {make_text(kind)}));
      type = &definitions->children.back();
    }
    add_to_count(document_, *type, count);
  }
  if (total > 0) add_to_count(document_, *definitions, total);
}

void append_child(FbxNode& parent, FbxNode child) {
  parent.children.push_back(std::move(child));
  parent.null_record = true;
}

void set_value(FbxDocument& document, FbxNode& node, FbxProperty value) {
  if (node.source.known() && node.properties.size() == 1) {
    value.source = node.properties[0].source;
  } else if (node.source.known()) {
    // The text has no single place for the value if there are several or none: write the whole node
    // anew.
    document.removed.push_back(node.source);
    node.source = node.body = TextSpan();
  }
  value.changed = true;
  node.properties = {std::move(value)};
}

void set_child(FbxDocument& document, FbxNode& parent, std::string_view name, FbxProperty value,
               std::initializer_list<std::string_view> predecessors) {
  if (FbxNode* child = find_child(parent, name)) {
    set_value(document, *child, std::move(value));
    return;
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < parent.children.size(); ++i)
    if (std::find(predecessors.begin(), predecessors.end(), parent.children[i].name) !=
        predecessors.end())
      at = i + 1;
  parent.children.insert(parent.children.begin() + static_cast<std::ptrdiff_t>(at),
                         make_node(name, {std::move(value)}));
  parent.null_record = true;
}

void remove_child(FbxDocument& document, FbxNode& parent, std::string_view name) {
  std::erase_if(parent.children, [&](const FbxNode& child) {
    if (child.name != name) return false;
    if (child.source.known()) document.removed.push_back(child.source);
    return true;
  });
}

FbxNode property_entry(std::string_view name, std::string_view type, std::string_view label,
                       std::string_view flags, std::vector<FbxProperty> values) {
  std::vector<FbxProperty> properties = {make_text(name), make_text(type), make_text(label),
                                         make_text(flags)};
  for (FbxProperty& value : values) properties.push_back(std::move(value));
  return make_node("P", std::move(properties));
}

void add_to_bind_poses(FbxDocument& document, std::int64_t beside, std::int64_t model,
                       const Eigen::Affine3d& bind) {
  FbxNode* objects = find_child(document.root, "Objects");
  if (!objects) return;
  for (FbxNode& pose : objects->children) {
    if (!is_bind_pose(pose) || !models_in(pose).contains(beside)) continue;
    append_child(pose, pose_node(model, bind));
    set_pose_count(document, pose);
  }
}

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
  std::unordered_set<std::int64_t> seen;  // each with all its ancestors
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
  if (there.size() > before) set_pose_count(document, *pose);
}

}  // namespace gvbind
