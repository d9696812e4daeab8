#pragma once

// Tested by tests/command/certificate_test.py.

#include "batch/asset_job.h"
#include "common/certificate.h"

namespace gvbind {

/// Writes the certificate of an asset that is up to date, by its stamp. Throws Error.
void certify_stamped(const AssetJob& job);

}  // namespace gvbind
