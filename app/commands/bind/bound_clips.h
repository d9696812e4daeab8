#pragma once

// Tested by tests/command/bind_clips_test.py.

#include "bind/bindable_file.h"
#include "character/node_scene.h"

namespace gvbind {

/// Puts the motions of the request on a document that is about to be written. Returns what
/// retarget::compare_clips() finds in the output again. Findings:
/// "motion-unmatched" for clips from files, and those of motion_findings() for each clip. Throws
/// Error as retarget_motion() and read_motion() do.
NodeScene add_motions(const BindRequest& request, BindableFile& f, Findings& findings);

}  // namespace gvbind
