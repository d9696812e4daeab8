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

/// The request for one file. It overwrites only with --force and creates no directories. Throws
/// Error(usage) for contradictory settings.
BindRequest request_of(const BindSettings& settings, const std::filesystem::path& input,
                       const std::filesystem::path& output);

/// Throws Error(usage) for springs in a format that has none.
void check_springs(const BindRequest& request);

/// A file that was bound.
struct BoundFile {
  BindEntry entry;  ///< for the report
  /// Files that the input and the skeleton refer to, relative to each; they may be missing.
  std::vector<std::string> input_sidecars, skeleton_sidecars;
  std::vector<std::string> written;  ///< all files written, relative to the output's directory
};

/// A file that has been read and selected, with its stages and findings so far.
struct SelectedFile {
  BindableFile file;
  BindStatistics statistics;
  Findings findings;
};

/// The resolution of the options. With auto_resolution, an upper bound from the files' sizes: the
/// finest that fits in memory, or the coarsest if none does.
int planned_resolution(const BindRequest& request);

/// Increase it whenever the same input and options give a different output.
constexpr int bind_version = 12;

/// Reads the input, adds the skeleton (from a file or from request.rig), and selects meshes and
/// joints.
BindableFile read_selected(const BindRequest& request, Findings& findings);

/// The options of the request plus the GPU voxelizer, the rules of this file and the resolution of
/// saved distances.
BindOptions options_for(const BindRequest& request, const BindableFile& f);

/// Binds, checks, patches, writes under a temporary name, reads back, compares, and renames to the
/// output. Throws Error, and then leaves nothing under the output's name.
BoundFile bind_selected(const BindRequest& request, SelectedFile selected,
                        const Progress& progress);

/// check_outputs(), read_selected() and bind_selected().
BoundFile bind_file(const BindRequest& request, const Progress& progress);

/// The scene with the weights that bind_file() would write. Writes nothing. Throws Error.
Scene bound_scene(const BindRequest& request);

/// As above, for a scene with joints that comes from no document; the request's input only names
/// it.
Scene bound_scene(const BindRequest& request, Scene scene);

}  // namespace gvbind
