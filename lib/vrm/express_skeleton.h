#pragma once

// Tested by tests/command/convert_skeleton_test.py.

#include "formats/gltf/gltf.h"
#include "rig/engine_axes.h"

namespace gvbind::vrm {

/// Gives the human joints of a document the names and the axes of such a skeleton. Joints stay
/// where they are, and the file shows the same in rest and in every clip. Throws Error: input;
/// cannot_bind where human bones are missing, or a joint cannot be turned; usage where another node
/// without a mesh has the name of a joint, or an extension stores axes.
void express_skeleton(GltfDocument& document, rig::SkeletonForm form);

}  // namespace gvbind::vrm
