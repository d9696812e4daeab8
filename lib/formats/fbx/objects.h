#pragma once

// Tested by tests/unit/formats/fbx/patch_test.cpp.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/fbx/document.h"

namespace gvbind {

/// The parts of an object's name: "name\0\1Class" in binary files, "Class::name" in text.
struct FbxFullName {
  std::string name, object_class;
};
FbxFullName split_full_name(const FbxProperty& property);

/// A node below Objects.
struct FbxObject {
  std::int64_t id = 0;
  std::string name;       ///< without the class that the file adds to it
  std::string type;       ///< the third property: LimbNode, Mesh, Skin, ...
  std::size_t index = 0;  ///< among the children of Objects
};

/// Objects and their object-to-object connections, in the file's order.
struct FbxObjects {
  std::vector<FbxObject> all;
  std::unordered_map<std::int64_t, std::size_t> by_id;  ///< into `all`; the first of equal ids
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> children, parents;
  const FbxNode* nodes = nullptr;           ///< Objects, null if the document has none
  const FbxNode* model_template = nullptr;  ///< default Properties70 of Models
  std::int64_t largest_id = 0;
  double ticks_per_second = 0.0;  ///< of times of clips

  const FbxObject* find(std::int64_t id) const;
  const FbxNode& node(const FbxObject& object) const { return nodes->children[object.index]; }
  bool is(const FbxObject& object, std::string_view kind) const;
  /// Objects connected to `id` of this kind (node name) and, unless empty, this type.
  std::vector<const FbxObject*> children_of(std::int64_t id, std::string_view kind,
                                            std::string_view type = {}) const;
  /// The Model above a Model; null at the scene's root.
  const FbxObject* parent_model(std::int64_t id) const;
  /// The Mesh Geometry of a Model, or null.
  const FbxObject* mesh_geometry(std::int64_t model) const;
  /// How many Mesh Geometries a Model has beyond that one.
  std::size_t further_geometries(std::int64_t model) const;
};

/// Valid until the document's tree changes.
FbxObjects objects_of(const FbxDocument& document);

/// The unit in which the document counts the times of clips.
double ticks_per_second(const FbxDocument& document);

/// A connection of an object to a property of another object.
struct FbxPropertyLink {
  std::int64_t child = 0;
  std::string property;
};
using FbxPropertyLinks =
    std::unordered_map<std::int64_t, std::vector<FbxPropertyLink>>;  ///< by parent
FbxPropertyLinks property_links(const FbxDocument& document);

/// The version of Blender whose exporter wrote the document: 280 is 2.80, 401 is 4.1; 1 if it names
/// none, 0 for other programs.
int blender_version(const FbxDocument& document);

/// The default Properties70 for objects of a kind, or null.
const FbxNode* property_template(const FbxDocument& document, std::string_view kind);

/// The values of an entry `P: "name", type, label, flags, values...` of Properties70, from the
/// object's own or else from the template; null where neither has it.
const FbxNode* find_property(const FbxNode& object, const FbxNode* fallback, std::string_view name);
double number_property(const FbxNode& object, const FbxNode* fallback, std::string_view name,
                       double missing);
int integer_property(const FbxNode& object, const FbxNode* fallback, std::string_view name,
                     int missing);

}  // namespace gvbind
