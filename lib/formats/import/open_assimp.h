#pragma once

// Tested by tests/unit/formats/import/import_test.cpp.

#include <filesystem>
#include <string>
#include <vector>

#include "formats/import/assimp_nodes.h"
#include "gvbind/finding.h"
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

/// Files that a document names, relative to its directory.
struct NamedFiles {
  std::vector<std::string> under_root;         ///< that Assimp requested, existing or not
  std::vector<std::string> missing_materials;  ///< material files of an OBJ
};

/// The warning about such a file.
Finding missing_material_file(const std::string& name);

/// Reads a file with Assimp and checks that all indices are in range; points and lines are marked
/// for removal. Throws Error(input), and as above.
NamedFiles open_assimp(Assimp::Importer& importer, const std::filesystem::path& path,
                       const AssetRoot& root);

}  // namespace gvbind
