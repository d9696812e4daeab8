#pragma once

// Tested by tests/unit/formats/fbx/upgrade_test.cpp.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/fbx/edit.h"

namespace gvbind {

/// An object of a document that is being upgraded.
struct UpgradedObject {
  const FbxNode* old = nullptr;
  std::int64_t id = 0;
  std::int64_t attribute = 0;  ///< of a Model: its Geometry or NodeAttribute; 0: none
  bool has_geometry = false;
};

/// A document that is being upgraded: the new one is filled through the editor.
struct FbxUpgrade {
  const FbxDocument& old;
  FbxEditor& editor;
  /// By their full name in the old document, which several objects of damaged files share.
  std::map<std::string, std::vector<UpgradedObject>> objects = {};
  std::map<std::int64_t, std::vector<const UpgradedObject*>> children = {};  ///< in file order
  std::map<std::string, const UpgradedObject*> geometries = {};  ///< by the name of the geometry
  std::size_t keys_left_out = 0;

  /// The objects with this name, in file order; those after the first only in damaged files.
  std::span<const UpgradedObject> find_all(const FbxProperty& full_name) const;
  const UpgradedObject* find(const FbxProperty& full_name) const;
};

/// Whether a property belongs to a Model itself and not to its geometry or attribute.
bool is_model_property(std::string_view name);

/// The id of the object that has a property: a Model, or its geometry or attribute.
std::int64_t owner_of_property(const UpgradedObject& object, std::string_view property);

/// Adds an AnimationStack with its layer, curve nodes and curves for each Take, and to the new
/// document's Takes, `listed`, an entry with its time.
void upgrade_takes(FbxUpgrade& upgrade, FbxNode& listed);

/// Connects the textures that the faces of a mesh name to its materials.
void upgrade_face_textures(FbxUpgrade& upgrade, const UpgradedObject& model);

}  // namespace gvbind
