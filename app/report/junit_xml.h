#pragma once

#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// JUnit XML as Jenkins and GitLab read it: one suite, one case for each asset, whose name is the
/// asset's. A case has at most one outcome: `failure` where the asset cannot be bound or has
/// findings that make the exit code 1; `error` where a resource, the output or gvbind itself failed
/// or the run was interrupted; `skipped`. Findings are lines of its system-out. Findings about the
/// run are a case "the run". Details stand in the elements' bodies, since GitLab leaves attributes
/// out. Valid XML 1.0 in UTF-8 whatever the texts hold: characters that XML cannot carry become
/// U+FFFD.
std::string junit_xml(const Report& report);

}  // namespace gvbind
