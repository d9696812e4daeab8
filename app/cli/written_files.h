#pragma once

// Tested by tests/command/report_files_test.py.

#include <filesystem>
#include <vector>

#include "cli/bind_options.h"
#include "common/report_files.h"

namespace CLI {
class App;
}

namespace gvbind {

/// Files that a parsed command writes beside documents must be separate files. Throws
/// Error(usage) where one is a file that another option names, or a texture or buffer of an input.
void check_written_files(const CLI::App& command);

/// The files that the settings of a bind name.
std::vector<NamedFile> files_of(const BindSettings& settings);

/// Adds the textures and buffers that a glTF document names; none for any other file.
void add_files_beside(const std::filesystem::path& document, std::vector<NamedFile>& files);

/// The files of the buffers that a glTF document names; none for any other file. They may be
/// missing.
std::vector<std::filesystem::path> buffers_of(const std::filesystem::path& document);

}  // namespace gvbind
