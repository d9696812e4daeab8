#pragma once

#include <span>
#include <string>
#include <string_view>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The name with the smallest edit distance to `text`, ignoring case; empty if none is close.
std::string nearest_name(std::string_view text, std::span<const std::string> names);

/// "; did you mean 'NAME'?" for the nearest name, or nothing if none is close.
std::string nearest_name_hint(std::string_view text, std::span<const std::string> names);

/// Throws Error(usage): no `kind` ("joint") has a name that matches; with the nearest of them.
[[noreturn]] void refuse_pattern(std::string_view kind, const std::string& pattern,
                                 std::span<const std::string> names);

/// Sets SceneMesh::selected and SceneJoint::deforms.
/// Without Selection::meshes, an unskinned mesh attached to a joint moves with that joint and is
/// not selected. If other meshes are skinned, unattached unskinned meshes are not selected either,
/// unless Selection::scenery is set; the returned finding "scenery-left" counts them. Nor are
/// unskinned meshes that are drawn in several places ("instances-left"). Meshes that the reader
/// deselected stay deselected; so do those of scale zero ("mesh-collapsed").
/// If Selection::names allows it and three joint names start with "DEF-", as Rigify's do, or with
/// "DEF_" or "DEF.", other joints of that rig do not deform: those starting with "ORG-", "MCH-",
/// "VIS-", "WGT-" or "CTRL-", and its controls.
/// Neither do the controls of Auto-Rig Pro, see auto_rig_controls().
/// Leaves named as the ends of bones ("_end", "Nub") do not deform either, nor their parents if a
/// second export has put ends below ends ("toe_end_end"). Sketchfab's
/// exporter puts joints "..._rootJoint" above skeletons; they do not deform.
/// A skeleton that no skin refers to does not deform if its joints stand at those of one that a
/// skin refers to, unless there are Selection::roots. The joints of Selection::joints deform in any
/// case, unless they are excluded. Throws Error(usage) for a pattern or root without a match, with
/// the nearest name, and Error(cannot_bind) if no mesh with triangles or no joint remains.
Findings apply_selection(Scene& scene, const Selection& selection);

/// The rule of BindOptions::names for WeightRule::fitted, otherwise NameRule::ignore.
NameRule names_in_selection(const BindOptions& options);

}  // namespace gvbind
