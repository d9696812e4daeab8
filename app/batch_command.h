#pragma once

#include "batch/batch_command.h"

namespace gvbind {

/// Plans the batch, prints what --list and --print-config ask for, else has it bound; returns the
/// exit code of the process.
int run_batch(const BatchCommand& command);

}  // namespace gvbind
