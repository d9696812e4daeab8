#pragma once

// Tested by tests/command/certificate_test.py.

#include "batch/asset_job.h"
#include "batch/stamp.h"
#include "common/certificate.h"

namespace gvbind {

/// Whether the job wants a certificate, and none lies beside the output that names its files as
/// they are now.
bool lacks_certificate(const AssetJob& job, const Stamp& stamp);

/// Writes the certificate of an asset that is up to date, by its stamp. Throws Error.
void certify_stamped(const AssetJob& job);

}  // namespace gvbind
