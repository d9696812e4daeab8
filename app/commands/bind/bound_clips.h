#pragma once

// Tested by tests/command/bind_clips_test.py.

#include <vector>

#include "bind/bindable_file.h"
#include "character/node_scene.h"
#include "report/asset_entry.h"

namespace gvbind {

struct AddedMotions {
  NodeScene expected;  ///< what retarget::compare_clips() finds in the output again
  std::vector<ClipEntry> entries;
};

/// Puts the motions of the request on a document that has its weights and is about to be written.
/// Findings: "motion-unmatched" for clips from files, and clip_findings(). Throws Error as
/// retarget_motion() and open_motion() do.
AddedMotions add_motions(const BindRequest& request, BindableFile& f, const SceneWeights& weights,
                         Findings& findings);

}  // namespace gvbind
