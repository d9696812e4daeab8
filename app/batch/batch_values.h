#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "batch/batch_command.h"

namespace gvbind {

// Texts of the command line into values. Each throws Error(usage) that begins with the flag.

/// "8G", "512M", "1.5g", "4096": bytes, with suffixes of 1024. `flag` is "--max-memory".
std::uint64_t parse_size(const std::string& flag, const std::string& text);

/// "90", "90s", "10m", "1.5h": seconds, more than 0.
double parse_duration(const std::string& flag, const std::string& text);

Rerun parse_rerun(const std::string& text);

/// Null where the variable is not set.
using Environment = std::function<const char*(const char* name)>;

/// "2/8", or "auto" by the variables of a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP,
/// _COUNT). An array that does not begin at 0 or 1, or leaves a step out, may be a part of a larger
/// one; its shards cannot be told, and that is an error.
Shard parse_shard(const std::string& text, const Environment& environment);

}  // namespace gvbind
