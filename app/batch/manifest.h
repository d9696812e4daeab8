#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batch/settings.h"

namespace gvbind {

// The content of a manifest, checked: every key is known and every value is in its range. Paths of
// files that are read are joined to the manifest's directory.

struct ManifestRule {
  std::string match;  ///< a glob, relative to the manifest's directory (files/path_glob.h)
  int line = 0;       ///< of `match`
  SettingsLayer settings;
};

struct ManifestAsset {
  std::string input;
  std::string output;  ///< relative to the output directory, a directory with '/' at its end;
                       ///< empty: as the input lies
  std::string name;    ///< empty: from the output
  int line = 0;
  SettingsLayer settings;
};

/// A directory, file or glob in which assets are looked for.
struct ManifestInput {
  std::string path;
  int line = 0;
};

struct Manifest {
  std::filesystem::path path;  ///< as given
  std::string output;  ///< the output directory where the command line has none; may be empty
  std::vector<ManifestInput> inputs;
  SettingsLayer defaults;
  std::vector<ManifestRule> rules;
  std::vector<ManifestAsset> assets;
};

/// Whether the name is that of a manifest: .toml or .json, whatever the case.
bool is_manifest_name(const std::filesystem::path& path);

/// Reads TOML, or JSON by its extension. Throws Error: input (a file that cannot be read), usage
/// for its content, one line that begins with "FILE:LINE: ".
Manifest read_manifest(const std::filesystem::path& path);

}  // namespace gvbind
