#pragma once

#include <span>
#include <string>
#include <string_view>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The name that takes the fewest edits to become `text`, case aside; empty where none is near.
std::string nearest_name(std::string_view text, std::span<const std::string> names);

/// Applies the selection to SceneMesh::selected and SceneJoint::deforms. Without Selection::meshes,
/// a mesh without skin that hangs from a joint moves with it as it is, and is not selected; nor,
/// unless Selection::scenery, is one that hangs from none where other meshes have a skin, which the
/// finding "scenery-left" that is returned counts.
/// A mesh that its reader deselected stays so. Where Selection::names are used and three joints
/// have names that begin with "DEF-", as in rigs by Rigify, that rig's other joints do not deform:
/// those whose names begin with "ORG-", "MCH-", "VIS-" or "WGT-", and its controls.
/// Selection::joints may own weight even where the file says otherwise. Throws Error(usage) for a
/// pattern or root that matches nothing, with the nearest name, and Error(cannot_bind) when no mesh
/// with triangles or no joint is left.
Findings apply_selection(Scene& scene, const Selection& selection);

/// Names take part where weights are fitted, as BindOptions::names has it.
NameRule names_in_selection(const BindOptions& options);

}  // namespace gvbind
