#pragma once

#include <filesystem>

#include "assets/foreign/child.h"
#include "assets/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// import_foreign with limits of the caller's.
Scene import_foreign_within(const ChildLimits& limits, const std::filesystem::path& path,
                            Findings& findings);

}  // namespace gvbind
