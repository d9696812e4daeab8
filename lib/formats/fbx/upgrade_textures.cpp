// Tested by tests/unit/formats/fbx/upgrade_test.cpp.

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "formats/fbx/upgrade_parts.h"

namespace gvbind {
namespace {

/// The layers of a mesh that name textures, and the property of a material that takes them.
struct TextureLayer {
  std::string_view name, property;
};
constexpr TextureLayer texture_layers[] = {{"LayerElementTexture", "DiffuseColor"},
                                           {"LayerElementEmissiveTextures", "EmissiveColor"},
                                           {"LayerElementEmissive_Textures", "EmissiveColor"},
                                           {"LayerElementAmbientTextures", "AmbientColor"},
                                           {"LayerElementSpecularTextures", "SpecularColor"},
                                           {"LayerElementShininessTextures", "ShininessExponent"},
                                           {"LayerElementNormalMapTextures", "NormalMap"},
                                           {"LayerElementBumpTextures", "Bump"},
                                           {"LayerElementTransparentTextures", "TransparentColor"},
                                           {"LayerElementReflectionTextures", "ReflectionColor"}};

constexpr std::int64_t max_number = 1 << 30;

/// One number for each polygon, or one for all of them.
struct FaceNumbers {
  bool all_same = true;
  std::vector<std::int32_t> values = {0};

  std::int32_t at(std::size_t polygon) const { return all_same ? values[0] : values[polygon]; }
};

FaceNumbers face_numbers(const FbxNode* layer, std::string_view list) {
  const FbxNode* values = layer ? find_child(*layer, list) : nullptr;
  const FbxNode* mapping = layer ? find_child(*layer, "MappingInformationType") : nullptr;
  if (!values || values->properties.empty() || !mapping || mapping->properties.empty()) return {};
  std::vector<std::int32_t> numbers;
  for (const FbxProperty& property : values->properties)
    numbers.push_back(static_cast<std::int32_t>(
        std::clamp<std::int64_t>(integer_of(property).value_or(-1), -1, max_number)));
  return {text_of(mapping->properties[0]) != "ByPolygon", std::move(numbers)};
}

std::vector<const UpgradedObject*> children_of(const FbxUpgrade& upgrade, std::int64_t parent,
                                               std::string_view kind) {
  std::vector<const UpgradedObject*> out;
  const auto found = upgrade.children.find(parent);
  if (found == upgrade.children.end()) return out;
  std::ranges::copy_if(found->second, std::back_inserter(out),
                       [&](const UpgradedObject* child) { return child->old->name == kind; });
  return out;
}

}  // namespace

void upgrade_face_textures(FbxUpgrade& upgrade, const UpgradedObject& model) {
  const auto textures = children_of(upgrade, model.id, "Texture");
  const auto materials = children_of(upgrade, model.id, "Material");
  if (textures.empty() || materials.empty()) return;
  const FaceNumbers material_of =
      face_numbers(find_child(*model.old, "LayerElementMaterial"), "Materials");
  for (const TextureLayer& textured : texture_layers) {
    const FbxNode* layer = find_child(*model.old, textured.name);
    if (!layer) continue;
    const FaceNumbers texture_of = face_numbers(layer, "TextureId");
    std::set<std::int32_t> done;
    const auto connect = [&](std::int32_t material, std::int32_t texture) {
      const auto m = static_cast<std::size_t>(material), t = static_cast<std::size_t>(texture);
      if (material < 0 || texture < 0 || m >= materials.size() || t >= textures.size()) return;
      if (done.insert(material).second)
        upgrade.editor.connect_property(textures[t]->id, materials[m]->id, textured.property);
    };
    if (texture_of.all_same) {
      for (std::size_t m = 0; m < materials.size(); ++m)
        connect(static_cast<std::int32_t>(m), texture_of.values[0]);
      continue;
    }
    for (std::size_t polygon = 0; polygon < texture_of.values.size(); ++polygon)
      if (material_of.all_same || polygon < material_of.values.size())
        connect(material_of.at(polygon), texture_of.at(polygon));
  }
}

}  // namespace gvbind
