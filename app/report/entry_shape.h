#pragma once

#include "report/batch_report.h"

namespace gvbind {

/// Whether the JSON is an asset's entry as report_schema.json has it, so that reports can be made
/// of it: for entries from other processes and from the disk.
bool has_entry_shape(const Report& entry);

}  // namespace gvbind
