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

/// Appends objects and connections to a document and updates the counts in Definitions.
class FbxEditor {
 public:
  explicit FbxEditor(FbxDocument& document);

  /// Larger than every id in the document, as long as 63 bits suffice.
  std::int64_t new_id();

  /// The document's unit of the times of clips.
  double ticks() const { return ticks_; }

  /// Adds a node `kind: id, "name\0\1class", "type"` to Objects.
  void add_object(std::string_view kind, std::int64_t id, std::string_view name,
                  std::string_view object_class, std::string_view type,
                  std::vector<FbxNode> children);
  void connect(std::int64_t child, std::int64_t parent);
  void connect_property(std::int64_t child, std::int64_t parent, std::string_view property);

  /// A node below Objects by its index there.
  FbxNode& object(std::size_t index);

  /// Writes the counts. Call it once, after the last addition.
  void finish();

 private:
  FbxNode& top(std::string_view name);

  FbxDocument& document_;
  std::unordered_set<std::int64_t> used_;
  std::int64_t next_ = 1;
  double ticks_ = 0.0;
  std::map<std::string, std::int32_t, std::less<>> added_;
};

/// Replaces the node's only property, in the source text too.
void set_value(FbxDocument& document, FbxNode& node, FbxProperty value);

/// Sets the value of the child with this name, or inserts a new one after the last of
/// `predecessors`.
void set_child(FbxDocument& document, FbxNode& parent, std::string_view name, FbxProperty value,
               std::initializer_list<std::string_view> predecessors);
void remove_child(FbxDocument& document, FbxNode& parent, std::string_view name);
void append_child(FbxNode& parent, FbxNode child);

/// An entry of Properties70.
FbxNode property_entry(std::string_view name, std::string_view type, std::string_view label,
                       std::string_view flags, std::vector<FbxProperty> values);

/// Adds a Model of type LimbNode with its attribute, without a parent. `local`: a turn and a place;
/// `length`: how long programs draw it.
void add_limb(FbxEditor& editor, const std::string& name, const Eigen::Affine3d& local,
              double length, std::int64_t model);

/// Adds a Model with this matrix to each BindPose that holds the Model `beside`.
void add_to_bind_poses(FbxDocument& document, std::int64_t beside, std::int64_t model,
                       const Eigen::Affine3d& bind);

/// Makes sure that a BindPose holds the mesh's Model, the joints and all their ancestors. Uses the
/// pose that has the mesh already, else the document's first, else a new one. Existing matrices
/// stay as they are; a Model above the joints without a finite transform gets none. `objects` and
/// `binding` describe the document before the edit.
void update_bind_pose(FbxDocument& document, FbxEditor& editor, const FbxObjects& objects,
                      const FbxBinding& binding, std::int64_t mesh,
                      const std::vector<std::int64_t>& joints);

}  // namespace gvbind
