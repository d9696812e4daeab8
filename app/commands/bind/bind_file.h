#pragma once

// Tested by tests/command/cli_test.py.

#include <filesystem>
#include <string>
#include <vector>

#include "bind/bind_request.h"
#include "bind/bindable_file.h"
#include "cli/bind_options.h"
#include "gvbind/bind_skin.h"
#include "report/asset_entry.h"

namespace gvbind {

/// The request for one file by the settings. It overwrites only with --force, and makes no
/// directories. Throws Error(usage) for settings that contradict each other.
BindRequest request_of(const BindSettings& settings, const std::filesystem::path& input,
                       const std::filesystem::path& output);

/// A file that was bound.
struct BoundFile {
  BindEntry entry;  ///< for the report
  /// Files named by the input and by the skeleton, relative to each; they may be missing.
  std::vector<std::string> input_sidecars, skeleton_sidecars;
  std::vector<std::string> written;  ///< all files written, from the output's directory
};

/// A file that is read and selected, with its stages and findings so far.
struct SelectedFile {
  BindableFile file;
  BindStatistics statistics;
  Findings findings;
};

/// The options' resolution; with auto_resolution the finest that may be taken in the memory given,
/// by the files' sizes, or the coarsest of all where none fits.
int planned_resolution(const BindRequest& request);

/// Raise it whenever the same input and options come to give another output.
constexpr int bind_version = 7;

/// The input as it is bound: read, with the skeleton of a file or of request.rig, and selected.
BindableFile read_selected(const BindRequest& request, Findings& findings);

/// The options of the request with the GPU voxelizer, the rules of this file and the resolution of
/// distances that are known.
BindOptions options_for(const BindRequest& request, const BindableFile& f);

/// Binds, judges, patches, writes under a temporary name, reads back, compares, and gives the
/// output its name. Throws Error; then nothing is left under the output's name.
BoundFile bind_selected(const BindRequest& request, SelectedFile selected,
                        const Progress& progress);

/// check_outputs(), read_selected() and bind_selected().
BoundFile bind_file(const BindRequest& request, const Progress& progress);

/// The scene with the weights that bind_file() would give it. Writes nothing. Throws Error.
Scene bound_scene(const BindRequest& request);

}  // namespace gvbind
