#pragma once

#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// JUnit XML for Jenkins and GitLab: one suite, with one case per asset, named after the asset. A
/// case has at most one outcome: `failure` if the asset cannot be bound or has findings that make
/// the exit code 1; `error` if a resource, the output or gvbind itself failed or the run was
/// interrupted; `skipped`. Findings are lines of its system-out. Findings about the run are in a
/// case "the run". Details are in element bodies, since GitLab ignores attributes. Always valid XML
/// 1.0 in UTF-8: characters that XML cannot represent become U+FFFD.
std::string junit_xml(const Report& report);

}  // namespace gvbind
