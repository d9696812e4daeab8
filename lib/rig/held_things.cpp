#include "rig/held_things.h"

#include <array>

#include "rig/named_parts.h"

namespace gvbind::rig {

namespace {

constexpr std::array<std::string_view, 42> held{
    {"arrow",  "arrows",  "axe",      "blade",    "bow",       "crossbow", "crowbar",
     "dagger", "fireaxe", "gun",      "guns",     "halberd",   "hammer",   "hatchet",
     "katana", "knife",   "lance",    "lantern",  "mace",      "machete",  "mug",
     "pistol", "quiver",  "revolver", "rifle",    "saber",     "scepter",  "scythe",
     "shield", "shields", "shotgun",  "spear",    "spellbook", "staff",    "sword",
     "swords", "torch",   "trident",  "umbrella", "wand",      "weapon",   "weapons"}};

}  // namespace

bool names_held_thing(std::string_view name) { return has_word(name, held); }

std::vector<std::vector<Triangle>> body_triangles(const Scene& scene) {
  std::vector<std::vector<Triangle>> body(scene.meshes.size());
  std::size_t all = 0, kept = 0;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected) continue;
    all += mesh.triangles.size();
    if (!names_held_thing(mesh.name)) body[m] = triangles_by_material(mesh, held, false);
    kept += body[m].size();
  }
  if (2 * kept < all)
    for (std::size_t m = 0; m < scene.meshes.size(); ++m)
      if (scene.meshes[m].selected) body[m] = scene.meshes[m].triangles;
  return body;
}

}  // namespace gvbind::rig
