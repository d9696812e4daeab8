#pragma once

// Tested by tests/command/watch_test.py.

#include <functional>

#include "batch/batch_command.h"

namespace gvbind {

/// Calls `round` with the plan of `plan_now` once, and again whenever inputs of the batch have
/// changed: files that appear, go or are written, with the files that they refer to, manifests, and
/// files that settings name. Changes are seen within 0.1 s, or ten times as long as a look at all
/// names takes, and a round begins once two looks agree, so that a file that is being written is
/// left alone. Errors of later rounds are printed, and the next change is waited for. Returns once
/// SIGINT, SIGTERM or SIGHUP comes: 0 between rounds, else the exit code of the round that it
/// interrupted.
int watch_batch(const BatchCommand& command, const std::function<BatchPlan()>& plan_now,
                const std::function<int(BatchPlan plan)>& round);

}  // namespace gvbind
