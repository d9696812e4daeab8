#pragma once

// Tested by tests/command/batch_worker_test.py.

#include "batch/asset_job.h"
#include "report/asset_entry.h"

namespace gvbind {

/// Draws the picture of the output and writes its page, as far as the job wants them. The output is
/// whole without: what fails is a finding.
void draw_asset(const AssetJob& job, AssetEntry& entry);

}  // namespace gvbind
