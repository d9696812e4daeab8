#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batch/settings.h"

namespace gvbind {

/// One file of a batch, from its input to its output.
struct BatchAsset {
  /// Unique in the batch, stable from run to run: the manifest's `name`, else the output's path
  /// below the output directory, with '/'.
  std::string name;
  std::filesystem::path input;   ///< absolute, or relative to the working directory
  std::filesystem::path output;  ///< likewise
  bool named = false;            ///< by the user, not found in a directory or by a glob
  BindSettings settings;
  std::vector<std::string> origins;  ///< of the settings, by option of bind_options()
};

/// The origin of an asset root that the user did not give.
inline constexpr const char* folder_of_batch = "the folder of the batch";

/// Where a batch looked for inputs, as absolute paths.
struct SearchedPlace {
  std::string base;     ///< a directory
  std::string pattern;  ///< of paths below it, see matches_path(); empty: all
  std::string root;     ///< outputs are shaped as their inputs lie below it
};

enum class Outside { refused, allowed };

struct BatchPlan {
  std::vector<BatchAsset> assets;
  std::vector<SearchedPlace> places;
  /// About the batch as a whole: rules of the manifest that match no asset, folders that cannot be
  /// listed.
  Findings findings;
};

/// Finds the assets to bind, sorted by name: the same list however the disk orders its
/// directories.
///
/// `inputs`: directories, files and globs (** crosses directories), or one manifest (.toml, .json).
/// A directory is searched for what bind reads by its extension, and its shape is kept below
/// `output`; a glob keeps the shape below its part without wildcards, a manifest the shape below
/// its own directory; a file keeps its name. Meshes of formats that are not written leave as .glb.
/// Hidden files and directories, the output directory and files that assets take their skeleton
/// from are passed over, unless they are named. Links to directories are followed, each directory
/// is entered once.
///
/// `output`: the output directory. Empty: the manifest's `output`; it is an error if there is none.
/// `outside`: whether the `output` of an asset in the manifest may lie elsewhere.
///
/// Throws Error: usage (the manifest; a pattern that matches nothing; two assets with one output or
/// one name; an output that is an input, without `force`; one that leaves the output directory by
/// "..", as an absolute path or through a link, unless that is allowed), input (a given directory
/// that cannot be listed or holds nothing to bind, an input that is missing; but an [[asset]]
/// without its file is left to whoever binds it).
BatchPlan plan_batch(const std::vector<std::string>& inputs, const std::filesystem::path& output,
                     const SettingsLayer& command_line, Outside outside = Outside::refused);

/// The manifest's `output` where the inputs are one manifest, else empty.
std::string manifest_output(const std::vector<std::string>& inputs);

/// The text of --print-config, which is TOML: a line per key with its value and origin, and last
/// the command that repeats the bind, if that is one line.
std::string config_text(const BatchAsset& asset);

}  // namespace gvbind
