#pragma once

// Tested by tests/unit/formats/fbx/patch_test.cpp.

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "formats/fbx/document.h"
#include "formats/fbx/skeleton.h"

namespace gvbind {

/// Adds objects and connections to a document at the end of their lists, and keeps the counts of
/// Definitions.
class FbxEditor {
 public:
  explicit FbxEditor(FbxDocument& document);

  /// Larger than every id that the document names, as long as 63 bits allow.
  std::int64_t new_id();

  /// A node `kind: id, "name\0\1class", "type"` below Objects.
  void add_object(std::string_view kind, std::int64_t id, std::string_view name,
                  std::string_view object_class, std::string_view type,
                  std::vector<FbxNode> children);
  void connect(std::int64_t child, std::int64_t parent);
  void connect_property(std::int64_t child, std::int64_t parent, std::string_view property);

  /// A node below Objects by its place there.
  FbxNode& object(std::size_t index);

  /// Writes the counts; to be called once, after the last addition.
  void finish();

 private:
  FbxNode& top(std::string_view name);

  FbxDocument& document_;
  std::unordered_set<std::int64_t> used_;
  std::int64_t next_ = 1;
  std::map<std::string, std::int32_t, std::less<>> added_;
};

/// Puts `value` in place of the node's only property, where the source text has it too.
void set_value(FbxDocument& document, FbxNode& node, FbxProperty value);

/// Sets the value of the child of that name, or puts a new one after the last of `predecessors`.
void set_child(FbxDocument& document, FbxNode& parent, std::string_view name, FbxProperty value,
               std::initializer_list<std::string_view> predecessors);
void remove_child(FbxDocument& document, FbxNode& parent, std::string_view name);
void append_child(FbxNode& parent, FbxNode child);

/// An entry of Properties70.
FbxNode property_entry(std::string_view name, std::string_view type, std::string_view label,
                       std::string_view flags, std::vector<FbxProperty> values);

/// Sees to it that a BindPose holds the mesh's Model, the joints and all that they hang from: the
/// one that has the mesh already, else the document's first, else a new one. Matrices that it has
/// stay as they are; a Model above the joints that is at no finite place gets none. `objects` and
/// `binding` are of the document before the editor began.
void update_bind_pose(FbxDocument& document, FbxEditor& editor, const FbxObjects& objects,
                      const FbxBinding& binding, std::int64_t mesh,
                      const std::vector<std::int64_t>& joints);

}  // namespace gvbind
