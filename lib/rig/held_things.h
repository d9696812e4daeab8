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

/// By mesh of the scene, the triangles of the body: those of held things are left out, as their
/// ends look like the ends of limbs. All triangles where less than half would be left.
std::vector<std::vector<Triangle>> body_triangles(const Scene& scene);

}  // namespace gvbind::rig
