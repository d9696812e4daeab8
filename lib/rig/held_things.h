#pragma once

// Tested by tests/unit/rig/held_things_test.cpp.

#include <string_view>
#include <vector>

#include "character/scene.h"
#include "gvbind/mesh_view.h"

namespace gvbind::rig {

/// Whether a mesh or a material of this name is a thing that a character holds: a weapon, a shield,
/// a staff.
bool names_held_thing(std::string_view name);

/// For each mesh of the scene, the triangles that belong to the body. Held things are left out,
/// since their ends look like the ends of limbs. If that left less than half of all triangles,
/// nothing is left out. Meshes that are not selected have none.
std::vector<std::vector<Triangle>> body_triangles(const Scene& scene);

}  // namespace gvbind::rig
