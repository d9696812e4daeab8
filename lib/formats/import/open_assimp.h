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

// For use in child processes: Assimp's asserts abort.

/// Facts read from a file before Assimp reads it. Throws Error(input) for a truncated COLLADA file,
/// which Assimp would accept up to its end.
ImportHints import_hints(const std::filesystem::path& path);

/// Throws the reason for Assimp's failure: Error(input) or std::bad_alloc.
[[noreturn]] void refuse_import(const Assimp::Importer& importer);

/// Reads a file with Assimp and checks that all indices are in range; points and lines are marked
/// for removal. Returns the files under the root that Assimp requested. Throws Error(input), and as
/// above.
std::vector<std::string> open_assimp(Assimp::Importer& importer, const std::filesystem::path& path,
                                     const AssetRoot& root);

}  // namespace gvbind
