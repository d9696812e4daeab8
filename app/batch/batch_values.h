#pragma once

#include <functional>
#include <string>

#include "batch/batch_command.h"

namespace gvbind {

// Texts of the command line into values. Each throws Error(usage) that begins with the flag.

Rerun parse_rerun(const std::string& text);

/// Null where the variable is not set.
using Environment = std::function<const char*(const char* name)>;

/// "2/8", or "auto" by the variables of a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP,
/// _COUNT). An array that does not begin at 0 or 1, or leaves a step out, may be a part of a larger
/// one; its shards are unknown, and that is an error.
Shard parse_shard(const std::string& text, const Environment& environment);

}  // namespace gvbind
