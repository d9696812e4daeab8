#pragma once

#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// JUnit XML as Jenkins and GitLab read it. A suite an asset: case "bind" (passed; failed where the
/// asset cannot be bound, in error where a resource, the output or gvbind itself failed or the run
/// was interrupted; skipped), then a case a finding: failed at or above `fail_on`, else passed with
/// its message as system-out. Findings about the run are a suite "gvbind" of their own. Details
/// stand in the elements' bodies, since GitLab leaves attributes out. Case names are unique in a
/// suite. Valid XML 1.0 in UTF-8 whatever the texts hold: characters that XML cannot carry become
/// U+FFFD.
std::string junit_xml(const Report& report, FailOn fail_on);

}  // namespace gvbind
