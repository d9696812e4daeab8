#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "assets/asset_root.h"
#include "assets/import/child.h"
#include "assets/read_options.h"
#include "assets/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Meshes and joints of any other format that Assimp reads (OBJ, DAE, PLY, STL, BVH, ...). Assimp
/// runs in a child process with limits on time and memory, because its asserts abort, and opens
/// files under options.root alone. Throws Error, whose message begins with the path: input;
/// resource where it would take more than options.max_memory.
Scene import_scene(const std::filesystem::path& path, Findings& findings,
                   const ReadOptions& options = {});

/// Extensions without dot, lower case, that import_scene takes.
std::span<const std::string> import_extensions();

/// import_scene with limits of the caller's.
Scene import_scene_within(const ChildLimits& limits, const std::filesystem::path& path,
                          const AssetRoot& root, Findings& findings);

}  // namespace gvbind
