#pragma once

// Tested by tests/command/orphans_test.py.

#include "batch/batch_command.h"
#include "batch/batch_plan.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Orphans are outputs whose input is gone: a stamp below the output directory names the input and
/// lists the output, this plan would give that input that very output, and the input is missing.
/// Each is a finding: "orphan-output", a warning, with why it stays where --delete-orphans was to
/// remove it, or "orphan-removed", a note. Of several shards the first one sees to them.
///
/// An orphan goes with its sidecars, its picture and its stamp, or not at all: not where one of its
/// files has changed since, is a link or lies behind one, or another process is binding to it. A
/// file that another stamp lists, or that the plan reads or writes, stays. Directories stay.
Findings settle_orphans(const BatchPlan& plan, const BatchCommand& command);

}  // namespace gvbind
