#pragma once

#include <string_view>

#include "assets/scene.h"

namespace gvbind {

/// Shell-style: * any run, ? one character, [a-z] a class, [!a-z] its complement. The whole text
/// must match.
bool matches_glob(std::string_view pattern, std::string_view text);

/// Applies the selection to SceneMesh::selected and SceneJoint::deforms. Without Selection::meshes,
/// a mesh without skin that hangs from a joint moves with it as it is, and is not selected. Throws
/// Error(cannot_bind) for a pattern or root that matches nothing, and when no mesh or no joint is
/// left.
void apply_selection(Scene& scene, const Selection& selection);

}  // namespace gvbind
