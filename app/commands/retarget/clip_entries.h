#pragma once

// Tested by tests/command/retarget_test.py.

#include <vector>

#include "character/scene.h"
#include "formats/document.h"
#include "report/asset_entry.h"
#include "retarget/retarget_file.h"

namespace gvbind {

/// The entries of a report for clips that retarget::add_clips() has added to a document. `scene` is
/// that of the document, with the weights that it has or gets. Throws Error(input).
std::vector<ClipEntry> clip_entries(const Document& document, const Scene& scene,
                                    const std::vector<retarget::NewClip>& clips);

/// The findings of the clip's damage and of retarget::motion_findings(), and "motion-stretch", each
/// clip's after the other's.
Findings clip_findings(const std::vector<retarget::NewClip>& clips,
                       const std::vector<ClipEntry>& entries);

}  // namespace gvbind
