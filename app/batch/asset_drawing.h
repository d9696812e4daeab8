#pragma once

// Tested by tests/command/batch_worker_test.py.

#include "batch/asset_job.h"
#include "batch/stamp.h"
#include "report/asset_entry.h"

namespace gvbind {

/// Whether the job wants a picture or a page that is missing, is of another output than the
/// stamp's, or is no longer as it was made.
bool lacks_drawing(const AssetJob& job, const Stamp& stamp);

/// Draws the picture of the output and writes its page, as far as the job wants them, and notes
/// them in the stamp. The output is whole without: what fails is a finding.
void draw_asset(const AssetJob& job, AssetEntry& entry, Stamp& stamp);

}  // namespace gvbind
