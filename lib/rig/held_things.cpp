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

bool is_held(const SceneMesh& mesh, std::size_t triangle) {
  if (mesh.materials.empty()) return false;
  const int material = mesh.triangle_materials.empty() ? 0 : mesh.triangle_materials[triangle];
  return material >= 0 && names_held_thing(mesh.materials[static_cast<std::size_t>(material)]);
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
    if (names_held_thing(mesh.name)) continue;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (!is_held(mesh, t)) body[m].push_back(mesh.triangles[t]);
    kept += body[m].size();
  }
  if (2 * kept < all)
    for (std::size_t m = 0; m < scene.meshes.size(); ++m)
      if (scene.meshes[m].selected) body[m] = scene.meshes[m].triangles;
  return body;
}

}  // namespace gvbind::rig
