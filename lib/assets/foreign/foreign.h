#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "assets/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Meshes and joints of any other format that Assimp reads (OBJ, DAE, PLY, STL, BVH, ...). Assimp
/// runs in a child process with limits on time and memory, because its asserts abort. Throws
/// Error(input); the message begins with the path.
Scene import_foreign(const std::filesystem::path& path, Findings& findings);

/// Suffixes without dot, lower case, that import_foreign takes.
std::span<const std::string> foreign_suffixes();

}  // namespace gvbind
