#pragma once

#include <filesystem>

#include "assets/asset_root.h"
#include "assets/foreign/child.h"
#include "assets/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// import_foreign with limits of the caller's.
Scene import_foreign_within(const ChildLimits& limits, const std::filesystem::path& path,
                            const AssetRoot& root, Findings& findings);

}  // namespace gvbind
