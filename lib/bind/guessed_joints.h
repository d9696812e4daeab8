#pragma once

// Tested by tests/command/rig_test.py.

#include "bind/bindable_file.h"

namespace gvbind {

/// Leaves out the joints of a glTF without a skin that are no skeleton, for callers that bring one:
/// nodes that only group meshes, as in most static downloads, and a few empties that mark places.
/// Joints that the request names stay, and so do those of a file with clips.
/// The note "nodes-not-joints" counts them.
void leave_out_groups(const BindRequest& request, BindableFile& f, Findings& findings);

}  // namespace gvbind
