#pragma once

// Tested by tests/app/batch_stress_test.py.

#include <vector>

#include "batch/batch_command.h"
#include "batch/batch_plan.h"

namespace gvbind {

/// Binds the assets of the plan (all of the batch, before shards are cut), each as its own settings
/// say, and writes the reports. `command.output` is the output directory. Returns the exit code of
/// the process.
int run_batch_engine(const BatchCommand& command, BatchPlan plan);

}  // namespace gvbind
