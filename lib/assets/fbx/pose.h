#pragma once

// Tested by tests/fbx/patch_test.cpp.

#include <vector>

#include "assets/fbx/edit.h"
#include "assets/fbx/skeleton.h"

namespace gvbind {

/// Sees to it that a BindPose holds the mesh's Model, the joints and all that they hang from: the
/// one that has the mesh already, else the document's first, else a new one. Matrices that it has
/// stay as they are; a Model above the joints that is at no finite place gets none. `objects` and
/// `binding` are of the document before the editor began.
void update_bind_pose(FbxDocument& document, FbxEditor& editor, const FbxObjects& objects,
                      const FbxBinding& binding, std::int64_t mesh,
                      const std::vector<std::int64_t>& joints);

}  // namespace gvbind
