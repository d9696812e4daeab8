#pragma once

// Tested by tests/unit/formats/import/import_test.cpp.

#include <filesystem>
#include <string>
#include <vector>

#include "formats/import/assimp_nodes.h"
#include "io/read_options.h"

namespace Assimp {
class Importer;
}

namespace gvbind {

// For child processes: Assimp's asserts abort.

/// What is known of a file before Assimp reads it. Throws Error(input) for a COLLADA file that ends
/// early, which Assimp takes as far as it goes.
ImportHints import_hints(const std::filesystem::path& path);

/// Throws what made Assimp give up: Error(input), std::bad_alloc.
[[noreturn]] void refuse_import(const Assimp::Importer& importer);

/// Has Assimp read a file, all indices of which are then in range; points and lines are marked for
/// removal. Returns the files under the root that were asked for. Throws Error(input); as above.
std::vector<std::string> open_assimp(Assimp::Importer& importer, const std::filesystem::path& path,
                                     const AssetRoot& root);

}  // namespace gvbind
