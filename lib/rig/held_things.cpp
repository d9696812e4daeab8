#include "rig/held_things.h"

#include <algorithm>
#include <array>
#include <string>

#include "rig/joint_words.h"

namespace gvbind::rig {

namespace {

constexpr std::array<std::string_view, 42> held{
    {"arrow",  "arrows",  "axe",      "blade",    "bow",       "crossbow", "crowbar",
     "dagger", "fireaxe", "gun",      "guns",     "halberd",   "hammer",   "hatchet",
     "katana", "knife",   "lance",    "lantern",  "mace",      "machete",  "mug",
     "pistol", "quiver",  "revolver", "rifle",    "saber",     "scepter",  "scythe",
     "shield", "shields", "shotgun",  "spear",    "spellbook", "staff",    "sword",
     "swords", "torch",   "trident",  "umbrella", "wand",      "weapon",   "weapons"}};

/// The triangles of a mesh whose materials are not named as held things.
std::vector<Triangle> triangles_of_body(const SceneMesh& mesh) {
  std::vector<bool> held_material;
  for (const std::string& name : mesh.materials) held_material.push_back(names_held_thing(name));
  if (std::ranges::find(held_material, true) == held_material.end()) return mesh.triangles;
  std::vector<Triangle> body;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int material = mesh.triangle_materials.empty() ? 0 : mesh.triangle_materials[t];
    if (material < 0 || !held_material[static_cast<std::size_t>(material)])
      body.push_back(mesh.triangles[t]);
  }
  return body;
}

}  // namespace

bool names_held_thing(std::string_view name) {
  return std::ranges::any_of(words_of_name(name), [](const std::string& word) {
    return std::ranges::find(held, std::string_view(word)) != held.end();
  });
}

std::vector<std::vector<Triangle>> body_triangles(const Scene& scene) {
  std::vector<std::vector<Triangle>> body(scene.meshes.size());
  std::size_t all = 0, kept = 0;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected) continue;
    all += mesh.triangles.size();
    if (!names_held_thing(mesh.name)) body[m] = triangles_of_body(mesh);
    kept += body[m].size();
  }
  if (2 * kept < all)
    for (std::size_t m = 0; m < scene.meshes.size(); ++m)
      if (scene.meshes[m].selected) body[m] = scene.meshes[m].triangles;
  return body;
}

}  // namespace gvbind::rig
